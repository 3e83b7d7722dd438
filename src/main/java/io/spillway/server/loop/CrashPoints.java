package io.spillway.server.loop;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends the process at a named point, as kill -9 would, if the system property {@code
 * spillway.crash-at=<point>[:n]} is set: the n-th time that it is reached. Nothing otherwise.
 */
public final class CrashPoints {
  /** The exit status of a killed process. */
  private static final int KILLED = 137;

  private static final String SETTING = System.getProperty("spillway.crash-at", "");
  private static final String POINT = SETTING.replaceFirst(":.*", "");
  private static final AtomicInteger LEFT = new AtomicInteger(times(SETTING));

  private CrashPoints() {}

  /** To be called where the process may end; costs nothing when nothing is set. */
  public static void reached(CrashPoint point) {
    if (!POINT.isEmpty() && point.text().equals(POINT) && LEFT.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(KILLED);
    }
  }

  private static int times(String setting) {
    int colon = setting.indexOf(':');
    return colon < 0 ? 1 : Integer.parseInt(setting.substring(colon + 1));
  }
}
