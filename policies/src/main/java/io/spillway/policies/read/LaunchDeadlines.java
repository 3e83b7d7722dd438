package io.spillway.policies.read;

import java.time.Duration;

/**
 * How long a start may take where nobody says so, by what is started: until then a node may still
 * be coming, afterwards nobody knows what became of it. The providers' own words for it are far
 * apart; {@code docs/clusters} tells where these come from.
 */
final class LaunchDeadlines {
  private static final Duration VIRTUAL = Duration.ofMinutes(15);

  /** OCI's take 15 to 25 minutes to come up, CoreWeave's 20 to 30. */
  private static final Duration BARE_METAL = Duration.ofMinutes(40);

  private LaunchDeadlines() {}

  /**
   * Of one node.
   *
   * @param provider as the cluster's document names it; empty if there is no such cluster
   */
  static Duration of(String provider, String instanceType) {
    // OCI's shapes say what they are; CoreWeave has nothing else.
    boolean bareMetal = provider.equals("coreweave") || instanceType.startsWith("BM.");
    return bareMetal ? BARE_METAL : VIRTUAL;
  }
}
