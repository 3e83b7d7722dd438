package io.spillway.capacity.simulated.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.simulated.ledger.LedgerLine;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One cluster's attempts as the ledger left them. Fed line by line, oldest first. */
public final class Restored {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Open> open = new LinkedHashMap<>();
  private final Map<String, Ended> over = new LinkedHashMap<>();

  /**
   * An attempt without an end.
   *
   * @param event the last of hold, apply, start or stop
   * @param instances one id per member, empty unless it ran
   */
  record Open(
      String attempt,
      long epoch,
      String event,
      Order order,
      List<String> instances,
      long startedMillis) {}

  /** Takes one line. */
  public void read(LedgerLine line) {
    Open known = open.get(line.attempt());
    switch (line.event()) {
      case "hold", "apply" ->
          open.put(
              line.attempt(),
              new Open(
                  line.attempt(), line.epoch(), line.event(), order(line.detail()), List.of(), 0));
      case "start" -> {
        List<String> instances = new ArrayList<>();
        line.detail().path("nodes").forEach(id -> instances.add(id.asText()));
        open.put(
            line.attempt(),
            new Open(
                line.attempt(),
                line.epoch(),
                "start",
                order(line.detail()),
                List.copyOf(instances),
                line.millis()));
      }
      case "stop" -> {
        if (known == null) {
          over.put(line.attempt(), Ended.absent(line.epoch(), line.millis()));
        } else {
          open.put(
              line.attempt(),
              new Open(
                  known.attempt(),
                  known.epoch(),
                  "stop",
                  known.order(),
                  known.instances(),
                  known.startedMillis()));
        }
      }
      case "release" -> {
        open.remove(line.attempt());
        over.put(line.attempt(), Ended.absent(line.epoch(), line.millis()));
      }
      case "end" -> {
        open.remove(line.attempt());
        over.put(line.attempt(), ended(line));
      }
      default -> throw new IllegalArgumentException("no such event in a ledger: " + line.event());
    }
  }

  List<Open> open() {
    return List.copyOf(open.values());
  }

  Map<String, Ended> over() {
    return over;
  }

  private static Order order(JsonNode detail) {
    try {
      return JSON.treeToValue(detail.path("order"), Order.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a ledger line without a readable order", e);
    }
  }

  private static Ended ended(LedgerLine line) {
    List<Integer> codes = new ArrayList<>();
    line.detail().path("exitCodes").forEach(code -> codes.add(code.asInt()));
    return new Ended(
        line.epoch(),
        Phase.PHASE_ENDED,
        EndCause.valueOf("END_CAUSE_" + line.detail().path("cause").asText()),
        codes,
        line.detail().path("message").asText(""),
        line.detail().path("ranMs").asLong(),
        line.millis());
  }
}
