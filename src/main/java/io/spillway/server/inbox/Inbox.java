package io.spillway.server.inbox;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import java.util.List;

/** The door to the loop. May be called from any thread; never blocks. */
public interface Inbox {

  /**
   * Makes the inputs durable as one row of the lane, in the order given, and wakes the loop.
   * Completes once committed; fails with {@link StoreUnavailable} when there is no database.
   *
   * @param actor who caused them, for the audit
   */
  Uni<InboxKey> append(Lane lane, String actor, List<Input> inputs);

  /**
   * As {@link #append}, moving a Kafka consumer's offset in the same transaction. If the stored
   * offset is not {@code from}, nothing is written and the result fails with {@link OffsetMoved}.
   * With no inputs only the offset moves (and the key is empty).
   */
  Uni<InboxKey> appendFrom(Lane lane, String actor, List<Input> inputs, OffsetMove move);

  /**
   * Completes with true once the loop's commit has passed that row, with false after the time-out.
   */
  Uni<Boolean> committed(InboxKey key, java.time.Duration timeout);

  /** Depth over 100,000 rows or lag over 5 s: batch submits are turned away first. */
  Load load();

  /** How full the inbox is. */
  enum Load {
    NORMAL,
    /** Turn batch submits away. */
    HIGH,
    /** Turn single submits away too. */
    FULL
  }

  /** A move of one partition's offset. */
  record OffsetMove(String topic, int partition, long from, long to) {}

  /** Another consumer has the partition now. */
  final class OffsetMoved extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OffsetMoved(OffsetMove move) {
      super("offset of " + move.topic() + "/" + move.partition() + " is not " + move.from());
    }
  }

  /**
   * The store cannot hold that text (for example a NUL character): tell the caller what is wrong.
   */
  final class Unstorable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unstorable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** No database now: tell the caller to come again. */
  final class StoreUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
