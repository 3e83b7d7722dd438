package io.spillway.verify.kill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads the ledger that the clouds' process writes. */
final class Ledger {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Ledger() {}

  /** All whole lines, in their order; the clouds may be writing another one now. */
  static List<Fact> read(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    List<Fact> facts = new ArrayList<>();
    int at = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      facts.add(fact(JSON.readTree(text.substring(at, end))));
      at = end + 1;
    }
    return List.copyOf(facts);
  }

  private static Fact fact(JsonNode line) {
    List<Integer> codes = new ArrayList<>();
    line.path("detail").path("exitCodes").forEach(code -> codes.add(code.asInt()));
    return new Fact(
        line.path("t").asLong(),
        Instant.parse(line.path("wall").asText()),
        line.path("cluster").asText(),
        line.path("attempt").asText(),
        line.path("epoch").asLong(),
        line.path("event").asText(),
        codes);
  }
}
