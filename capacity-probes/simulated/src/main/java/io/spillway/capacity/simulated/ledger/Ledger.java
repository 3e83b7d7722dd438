package io.spillway.capacity.simulated.ledger;

/** Where the truth is written down. */
public interface Ledger extends AutoCloseable {

  /**
   * Writes a line; once it is durable, runs the task on the timeline. Lines and tasks keep their
   * order. Only from the timeline.
   */
  void append(LedgerLine line, Runnable durable);

  /** Runs the task once everything appended so far is durable. Only from the timeline. */
  void then(Runnable durable);

  @Override
  default void close() {}
}
