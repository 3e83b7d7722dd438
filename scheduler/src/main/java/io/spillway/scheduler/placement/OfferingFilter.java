package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.Rung;
import java.time.Instant;
import java.util.Optional;

/**
 * The verdict on one offering, which matches statically, for one gang on one rung: cheap and
 * lasting reasons first, momentary ones last. Feasibility comes before price: a full offering is
 * never the cheapest.
 */
final class OfferingFilter {
  private static final Verdict.Refused RUNG_PRICE = Verdict.Refused.of(RefusalReason.RUNG_PRICE);
  private static final Verdict.Refused CONSTRAINT_PRICE =
      Verdict.Refused.of(RefusalReason.CONSTRAINT_PRICE);
  private static final Verdict.Refused NO_ROOM = Verdict.Refused.of(RefusalReason.NO_ROOM);
  private static final Verdict.Refused LAUNCH_BUDGET =
      Verdict.Refused.of(RefusalReason.LAUNCH_BUDGET);

  private final Board board;

  OfferingFilter(Board board) {
    this.board = board;
  }

  /** The verdict of everything but the comparison with the fallback and the launch budget. */
  Verdict standing(Gang gang, Offering offering, Rung rung) {
    Board.Condition condition = board.condition(offering);
    if (condition.refusal().isPresent()) {
      return condition.refusal().get();
    }
    Quote.Priced quote = (Quote.Priced) condition.quote();
    if (above(quote, rung.maxPricePerGpuHour())) {
      return priced(RUNG_PRICE, quote);
    }
    if (above(quote, gang.maxPrice())) {
      return priced(CONSTRAINT_PRICE, quote);
    }
    Optional<Exclusion> away = gang.awayFrom(offering.id(), board.now());
    if (away.isPresent()) {
      return refusal(away.get());
    }
    if (board.neededNodes(offering, gang.shape()) > board.freeNodes(offering)) {
      return NO_ROOM;
    }
    return new Verdict.Admissible(quote);
  }

  /** The full verdict. */
  Verdict verdict(Gang gang, Offering offering, Rung rung, Optional<Fallback> fallback) {
    Verdict standing = standing(gang, offering, rung);
    if (!(standing instanceof Verdict.Admissible admissible)) {
      return standing;
    }
    if (offering.isSpot() && fallback.map(it -> it.undercuts(admissible)).orElse(false)) {
      return fallback.get().refusal(admissible);
    }
    return board.launchesLeft(offering) > 0 ? admissible : LAUNCH_BUDGET;
  }

  private static Verdict.Refused refusal(Exclusion away) {
    Optional<Instant> until = Optional.of(away.until());
    return away.grounds()
        .map(
            grounds ->
                new Verdict.Refused(
                    RefusalReason.TRANSLATION_REFUSED,
                    until,
                    "",
                    grounds.askedAgainWhen(away.offering().cluster())))
        .orElseGet(() -> Verdict.Refused.of(RefusalReason.EXCLUDED, until));
  }

  private static boolean above(Quote.Priced quote, Optional<UsdPerGpuHour> limit) {
    return limit.isPresent() && quote.price().compareTo(limit.get()) > 0;
  }

  /** A price that an override fixes for a time may fit when the time is over. */
  private static Verdict.Refused priced(Verdict.Refused refusal, Quote.Priced quote) {
    return quote.until().isEmpty() ? refusal : Verdict.Refused.of(refusal.reason(), quote.until());
  }
}
