package io.spillway.server.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the process at a named point, as kill -9 would, if the system property {@code
 * spillway.crash-at=<point>[:n]} is set: the n-th time that it is reached. With {@code
 * spillway.freeze-at=<point>[:n]} the whole process is stopped there, as by kill -STOP, until
 * somebody lets it go on: a leader that slept through the end of its lease. Nothing otherwise.
 */
public final class CrashPoints {
  /** The exit status of a killed process. */
  private static final int KILLED = 137;

  private static final long TICK_NANOS = 20_000_000L;

  private static final String FREEZE = System.getProperty("spillway.freeze-at", "");
  private static final String SETTING =
      FREEZE.isEmpty() ? System.getProperty("spillway.crash-at", "") : FREEZE;
  private static final String POINT = SETTING.replaceFirst(":.*", "");
  private static final AtomicInteger LEFT = new AtomicInteger(times(SETTING));

  private CrashPoints() {}

  /** To be called where the process may end; costs nothing when nothing is set. */
  public static void reached(CrashPoint point) {
    if (!POINT.isEmpty() && point.text().equals(POINT) && LEFT.decrementAndGet() == 0) {
      if (FREEZE.isEmpty()) {
        Runtime.getRuntime().halt(KILLED);
      }
      freeze();
    }
  }

  /** The signal comes a little later than it is sent; the jump of the clock tells that it came. */
  private static void freeze() {
    long last = System.nanoTime(); // the signal may come before the start of its sender returns
    try {
      new ProcessBuilder("kill", "-STOP", Long.toString(ProcessHandle.current().pid())).start();
      for (int tick = 0; tick < 500 && System.nanoTime() - last < 50 * TICK_NANOS; tick++) {
        last = System.nanoTime();
        LockSupport.parkNanos(TICK_NANOS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("there is no kill to stop the process with", e);
    }
  }

  private static int times(String setting) {
    int colon = setting.indexOf(':');
    return colon < 0 ? 1 : Integer.parseInt(setting.substring(colon + 1));
  }
}
