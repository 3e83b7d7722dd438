package io.spillway.server.inbox;

import io.spillway.server.codec.StoreCodec;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Jobs as the arrays that the insert unnests. */
final class JobRows {
  private JobRows() {}

  static Tuple tuple(WriterId writer, List<PendingItem.Job> jobs, List<Long> seqs) {
    return Tuple.of(writer.cell(), writer.writer(), writer.laneNumber(), StoreCodec.FORMAT)
        .addArrayOfString(column(jobs, item -> item.job().id().value()))
        .addArrayOfString(column(jobs, item -> item.job().order().queue().value()))
        .addArrayOfString(column(jobs, item -> item.job().order().name()))
        .addArrayOfString(column(jobs, item -> item.job().order().priorityClass()))
        .addArrayOfString(column(jobs, item -> item.job().actor()))
        .addArrayOfString(column(jobs, item -> item.job().policyVersion()))
        .addArrayOfString(column(jobs, item -> item.job().idempotencyKey().orElse(null)))
        .addArrayOfString(column(jobs, item -> item.job().bodyHash()))
        .addArrayOfString(column(jobs, item -> labels(item.job().labels())))
        .addArrayOfString(column(jobs, PendingItem.Job::core))
        .addArrayOfString(column(jobs, PendingItem.Job::shapeClass))
        .addArrayOfString(column(jobs, item -> item.job().specJson()))
        .addArrayOfString(column(jobs, PendingItem.Job::input))
        .addArrayOfLong(seqs.toArray(Long[]::new));
  }

  static String labels(Map<String, String> labels) {
    return new JsonObject(new TreeMap<>(labels)).encode();
  }

  private static String[] column(
      List<PendingItem.Job> jobs, Function<PendingItem.Job, String> column) {
    return jobs.stream().map(column).toArray(String[]::new);
  }
}
