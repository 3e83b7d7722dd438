package io.spillway.scheduler.placement;

import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.Rung;
import java.util.List;
import java.util.Optional;

/**
 * The cheapest capacity on a job's ladder that no provider takes back and that costs money by use:
 * any rung, open or not, any region. Preemptible capacity at its price or above is never worth it.
 * A launch budget does not count against it, which is a matter of seconds.
 */
record Fallback(Offering offering, int rung, Quote.Priced quote) {

  /** Finds it among the offerings that match the gang statically. */
  static Optional<Fallback> of(
      Gang gang, List<Rung> ladder, StaticMatch match, OfferingFilter filter) {
    Optional<Fallback> cheapest = Optional.empty();
    for (int rung = 0; rung < match.rungs(); rung++) {
      for (Offering offering : match.on(rung)) {
        if (!offering.isSpot()
            && !offering.isSunk()
            && filter.standing(gang, offering, ladder.get(rung))
                instanceof Verdict.Admissible admissible) {
          Fallback found = new Fallback(offering, rung, admissible.price());
          if (cheapest.map(found::isCheaperThan).orElse(true)) {
            cheapest = Optional.of(found);
          }
        }
      }
    }
    return cheapest;
  }

  UsdPerGpuHour price() {
    return quote.price();
  }

  boolean undercuts(Verdict.Admissible spot) {
    return spot.price().price().compareTo(price()) >= 0;
  }

  /** It ends by itself when the fallback's price, or the spot price, stops being usable. */
  Verdict.Refused refusal(Verdict.Admissible spot) {
    return new Verdict.Refused(
        RefusalReason.NOT_CHEAPER_THAN_FALLBACK,
        quote.until(),
        offering.id().text(),
        spot.price().price().dollars()
            + " USD per GPU-hour, fallback "
            + offering.id()
            + " "
            + price().dollars());
  }

  /** Whether it is still admissible; its price does not move within a decision. */
  boolean isStillGood(Subject subject, OfferingFilter filter) {
    return filter.standing(subject.gang(), offering, subject.rung(rung))
        instanceof Verdict.Admissible;
  }

  private boolean isCheaperThan(Fallback other) {
    int byPrice = price().compareTo(other.price());
    return byPrice < 0 || (byPrice == 0 && offering.index() < other.offering.index());
  }
}
