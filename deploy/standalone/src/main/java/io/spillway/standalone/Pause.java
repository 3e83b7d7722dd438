package io.spillway.standalone;

import java.util.concurrent.locks.LockSupport;

/** Waiting for other processes, between two looks. */
final class Pause {
  private Pause() {}

  static void millis(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }
}
