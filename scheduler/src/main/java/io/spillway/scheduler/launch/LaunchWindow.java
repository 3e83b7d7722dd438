package io.spillway.scheduler.launch;

/** How many more launches an offering may have in flight at this moment. */
public final class LaunchWindow {
  private LaunchWindow() {}

  /**
   * What is left of the window; never negative. Where nodes stand ready by the agent's word and
   * nothing failed lately there is nothing to try out, so no limit: else a reserved pool that
   * stands idle would send all but one of a crowd to dearer capacity.
   *
   * @param limit launches that may be in flight
   * @param standing the nodes are there by the agent's word
   * @param failedLately a refusal there is newer than the last success
   */
  public static int left(int limit, int inFlight, boolean standing, boolean failedLately) {
    return standing && !failedLately ? Integer.MAX_VALUE : Math.max(0, limit - inFlight);
  }
}
