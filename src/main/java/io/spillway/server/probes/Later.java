package io.spillway.server.probes;

import java.time.Duration;

/** Runs something later: by a timer thread, or when a test's clock says so. */
@FunctionalInterface
interface Later {
  void after(Duration delay, Runnable task);
}
