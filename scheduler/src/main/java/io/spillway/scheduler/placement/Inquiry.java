package io.spillway.scheduler.placement;

import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.queue.Parking;
import io.spillway.scheduler.state.ParkedClass;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Whether what was touched can change the verdict on a parked class: only if one of the offerings
 * could now be taken, or is refused for a reason that the class does not wait for yet.
 */
final class Inquiry {
  private final PolicySet policies;
  private final OfferingFilter filter;
  private final Instant now;

  Inquiry(PolicySet policies, OfferingFilter filter, Instant now) {
    this.policies = policies;
    this.filter = filter;
    this.now = now;
  }

  boolean mayChange(ParkedClass parked, Subject subject, Collection<Offering> touched) {
    for (Offering offering : touched) {
      if (subject.match().has(offering) && mayChange(parked, subject, offering)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayChange(ParkedClass parked, Subject subject, Offering offering) {
    ClusterPolicy cluster = policies.clusters().get(offering.id().cluster());
    for (int rung = 0; rung < subject.match().rungs(); rung++) {
      if (subject.ladder().isOpen(rung, now)
          && RungFilter.verdict(offering, cluster, subject.rung(rung)).isEmpty()
          && mayChange(parked, offering, verdict(subject, offering, rung))) {
        return true;
      }
    }
    return false;
  }

  /** Without the comparison with the fallback: whether that holds, the full judgement tells. */
  private Verdict verdict(Subject subject, Offering offering, int rung) {
    return filter.verdict(subject.gang(), offering, subject.rung(rung), Optional.empty());
  }

  private static boolean mayChange(ParkedClass parked, Offering offering, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Admissible it -> true;
      case Verdict.Refused it -> {
        Parking parking = new Parking();
        RefusalCauses.add(parking, offering, it);
        yield !parking.isCoveredBy(parked);
      }
    };
  }
}
