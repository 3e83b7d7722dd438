package io.spillway.server.kubernetes;

/**
 * How long pods get between SIGTERM and SIGKILL: what the provider's notice leaves, so that the
 * checkpoint signal reaches the program while there is still time. Reference §8.
 */
final class GraceTimes {
  /** Nobody hurries: a checkpoint of hundreds of GiB may be written. */
  private static final int UNHURRIED = 300;

  private GraceTimes() {}

  static int seconds(Placement placement) {
    if (!placement.onSpot()) {
      return UNHURRIED;
    }
    return switch (placement.kind()) {
      // 120 s of notice, less what it takes to see it.
      case EKS, OKE -> 110;
      // 30 s of notice.
      case AKS -> 25;
      // 30 s of notice, of which the kubelet's graceful shutdown gives ordinary pods 15.
      case GKE -> 15;
      // A window of up to seven minutes whose lower bound is not documented: a minute is safe.
      case COREWEAVE -> 50;
      // Rented nodes promise nothing.
      case K3S -> 25;
    };
  }
}
