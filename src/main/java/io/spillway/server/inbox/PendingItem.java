package io.spillway.server.inbox;

import java.util.concurrent.CompletableFuture;

/** Something that waits for the next insert batch of a lane, already in the form of the store. */
sealed interface PendingItem {
  void fail(Throwable cause);

  /** Inputs as one row. */
  record Row(String actor, int inputs, String payload, CompletableFuture<InboxKey> done)
      implements PendingItem {
    @Override
    public void fail(Throwable cause) {
      done.completeExceptionally(cause);
    }
  }

  /** A consumer's offset, with the inputs that it brought, if any. */
  record Move(Inbox.OffsetMove move, Row row) implements PendingItem {
    @Override
    public void fail(Throwable cause) {
      row.fail(cause);
    }
  }

  /**
   * A job.
   *
   * @param core the job's record as the row holds it until the loop writes it
   * @param shapeClass of a fresh job
   * @param input the JSON of its input
   */
  record Job(
      Submissions.NewJob job,
      String core,
      String shapeClass,
      String input,
      CompletableFuture<Submissions.Outcome> done)
      implements PendingItem {
    @Override
    public void fail(Throwable cause) {
      done.completeExceptionally(cause);
    }
  }
}
