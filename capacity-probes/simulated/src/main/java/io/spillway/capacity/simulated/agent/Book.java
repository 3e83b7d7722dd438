package io.spillway.capacity.simulated.agent;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.capacity.simulated.ledger.Ledger;
import io.spillway.capacity.simulated.ledger.LedgerLine;
import io.spillway.capacity.simulated.time.Timeline;

/** Writes one cluster's lines of the ledger. */
final class Book {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Ledger ledger;
  private final Timeline timeline;
  private final String cluster;

  Book(Ledger ledger, Timeline timeline, String cluster) {
    this.ledger = ledger;
    this.timeline = timeline;
    this.cluster = cluster;
  }

  static ObjectNode detail() {
    return JSON.createObjectNode();
  }

  /** The order, so that a restart can go on with it. */
  static ObjectNode detail(Order order) {
    ObjectNode detail = detail();
    detail.set("order", JSON.valueToTree(order));
    return detail;
  }

  /** The order and where its members run. */
  static ObjectNode placed(Workload workload) {
    ObjectNode detail = detail(workload.order);
    ArrayNode nodes = detail.putArray("nodes");
    workload.members().forEach(node -> nodes.add(node.instance.id()));
    return detail;
  }

  static ObjectNode detail(Ended ended) {
    ObjectNode detail = detail();
    detail.put("cause", ended.cause().name().replace("END_CAUSE_", ""));
    ended.exitCodes().forEach(detail.withArray("exitCodes")::add);
    detail.put("ranMs", ended.ranMillis());
    if (!ended.message().isEmpty()) {
      detail.put("message", ended.message());
    }
    return detail;
  }

  void write(String attempt, long epoch, String event, ObjectNode detail, Runnable durable) {
    ledger.append(
        new LedgerLine(
            timeline.monotonicMillis(),
            timeline.now().toString(),
            cluster,
            attempt,
            epoch,
            event,
            detail),
        durable);
  }

  void then(Runnable durable) {
    ledger.then(durable);
  }
}
