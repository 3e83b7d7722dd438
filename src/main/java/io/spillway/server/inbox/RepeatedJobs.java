package io.spillway.server.inbox;

import io.spillway.scheduler.model.JobId;
import io.spillway.server.store.Database;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers jobs whose idempotency key was there before: the same job, or a conflict. */
final class RepeatedJobs {
  // Uses job_idempotency.
  private static final String FIND =
      """
      select j.queue, j.idempotency_key, j.id, j.body_hash
      from unnest($1::text[], $2::text[]) as k(queue, key)
      join job j on j.queue = k.queue and j.idempotency_key = k.key
      """;

  private final Database database;

  RepeatedJobs(Database database) {
    this.database = database;
  }

  private record Key(String queue, String key) {
    static Key of(PendingItem.Job item) {
      return new Key(item.job().order().queue().value(), item.job().idempotencyKey().orElseThrow());
    }
  }

  private record Earlier(JobId id, String bodyHash) {}

  void answer(List<PendingItem.Job> items) {
    Tuple keys =
        Tuple.tuple()
            .addArrayOfString(items.stream().map(i -> Key.of(i).queue()).toArray(String[]::new))
            .addArrayOfString(items.stream().map(i -> Key.of(i).key()).toArray(String[]::new));
    database
        .pool()
        .preparedQuery(FIND)
        .execute(keys)
        .onFailure(
            failure ->
                items.forEach(
                    item ->
                        item.fail(
                            new Inbox.StoreUnavailable(
                                "cannot read the job of the same key", failure))))
        .onSuccess(
            rows -> {
              Map<Key, Earlier> earlier = new HashMap<>();
              for (Row row : rows) {
                earlier.put(
                    new Key(row.getString(0), row.getString(1)),
                    new Earlier(new JobId(row.getString(2)), row.getString(3)));
              }
              items.forEach(item -> settle(item, Optional.ofNullable(earlier.get(Key.of(item)))));
            });
  }

  private static void settle(PendingItem.Job item, Optional<Earlier> earlier) {
    if (earlier.isEmpty()) {
      // Its retention ended between the two statements: as if it had never been.
      item.fail(new Inbox.StoreUnavailable("the job of the same key is just being removed", null));
      return;
    }
    Earlier job = earlier.get();
    item.done()
        .complete(
            job.bodyHash().equals(item.job().bodyHash())
                ? new Submissions.Outcome.Repeated(job.id())
                : new Submissions.Outcome.KeyConflict(job.id()));
  }
}
