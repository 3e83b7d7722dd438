package io.spillway.verify.kill;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the three witnesses say.
 *
 * @param before jobs as the API showed them when all was quiet an earlier time
 * @param forgotten the time that a restored copy of the database knows nothing of
 */
record Evidence(
    List<Fact> ledger,
    List<Accepted> accepted,
    List<Seen> jobs,
    List<Seen> before,
    Optional<Forgotten> forgotten) {

  Evidence {
    ledger = List.copyOf(ledger);
    accepted = List.copyOf(accepted);
    jobs = List.copyOf(jobs);
    before = List.copyOf(before);
  }

  /**
   * From the moment of the copy to that of its restore. What was accepted then may be gone, and a
   * job whose end fell into it may run again; both only then.
   *
   * @param recovered when the operator ended RECOVERY
   */
  record Forgotten(Instant copied, Instant restored, Instant recovered) {
    boolean covers(Instant at) {
      return !at.isBefore(copied) && !at.isAfter(restored);
    }

    boolean inRecovery(Instant at) {
      return at.isAfter(restored) && at.isBefore(recovered);
    }
  }
}
