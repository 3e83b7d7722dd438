package io.spillway.server.loop;

import io.spillway.scheduler.state.View;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Reads the scheduler's committed state. On the leader it is the state itself, on a standby the
 * copy that tails the journal. The function runs on the loop's thread between two cycles: it must
 * be short, must not block and must not keep the view.
 */
public interface StateReader {
  <T> CompletionStage<T> read(Function<View, T> question);

  /** Whether this replica leads now. */
  boolean leading();
}
