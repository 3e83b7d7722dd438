package io.spillway.server.loop;

import java.util.Optional;

/** Who leads. Gives liveness only; safety is the fence of the commit. */
public interface Leadership {

  /** The token while this replica holds the lease; any thread, never blocks. */
  Optional<LeaderToken> current();

  /** That token is of no use any more: another leads, or this replica must not. Never blocks. */
  void lost(LeaderToken token);
}
