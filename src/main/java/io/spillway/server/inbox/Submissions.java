package io.spillway.server.inbox;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Accepts jobs: the job row, its spec and its inbox row in one transaction. Concurrent calls are
 * batched; one item's conflict touches no other item.
 */
public interface Submissions {

  /** One outcome per item, in order. Fails with {@link Inbox.StoreUnavailable} as a whole. */
  Uni<List<Outcome>> submit(List<NewJob> jobs);

  /**
   * A checked job.
   *
   * @param specJson the whole specification in canonical JSON, defaults filled in
   * @param bodyHash hash of the canonical JSON, to tell a repeat from a conflict
   * @param policyVersion under which it was admitted
   */
  record NewJob(
      JobId id,
      JobOrder order,
      String specJson,
      String bodyHash,
      Map<String, String> labels,
      Optional<String> idempotencyKey,
      String policyVersion,
      String actor) {}

  /** What became of one item. */
  sealed interface Outcome {
    /** Stored; this is the promise of 201. */
    record Accepted(JobId job, InboxKey key) implements Outcome {}

    /** The same key and body came before: that job. */
    record Repeated(JobId job) implements Outcome {}

    /** The same key came before with another body. */
    record KeyConflict(JobId job) implements Outcome {}
  }
}
