package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.plan.RefusalReason;
import java.util.Optional;

/**
 * Says of offerings on closed rungs what else keeps the job from them. A refusal may itself have
 * closed the rung ({@code until: refusals}): that the rung is closed is then the lesser half of the
 * answer. For explanations only; a decision looks at open rungs.
 */
final class ClosedRungs {
  private final Board board;
  private final Offerings offerings;
  private final Gang gang;

  ClosedRungs(Board board, Offerings offerings, Gang gang) {
    this.board = board;
    this.offerings = offerings;
    this.gang = gang;
  }

  /** The same candidate, with the block or the exclusion behind the closed rung in its detail. */
  Candidate told(Candidate candidate) {
    return candidate
        .refusal()
        .filter(reason -> reason == RefusalReason.RUNG_NOT_OPEN)
        .flatMap(closed -> offerings.find(candidate.offering()))
        .flatMap(offering -> block(offering).or(() -> exclusion(offering)))
        .map(behind -> with(candidate, behind))
        .orElse(candidate);
  }

  private Optional<String> block(Offering offering) {
    return board
        .condition(offering)
        .refusal()
        .filter(
            refused ->
                refused.reason() == RefusalReason.BLOCKED
                    || refused.reason() == RefusalReason.AT_RISK)
        .map(
            refused ->
                refused.reason()
                    + refused.until().map(until -> " until " + until).orElse("")
                    + ": "
                    + refused.detail());
  }

  private Optional<String> exclusion(Offering offering) {
    return gang.awayFrom(offering.id(), board.now()).map(ClosedRungs::words);
  }

  private static String words(Exclusion away) {
    return away.grounds()
        .map(
            grounds ->
                RefusalReason.TRANSLATION_REFUSED
                    + ": "
                    + grounds.askedAgainWhen(away.offering().cluster()))
        .orElse(RefusalReason.EXCLUDED + " until " + away.until() + ": it refused this job");
  }

  private static Candidate with(Candidate known, String behind) {
    return new Candidate(
        known.offering(),
        known.rung(),
        known.rank(),
        known.price(),
        known.refusal(),
        known.until(),
        behind);
  }
}
