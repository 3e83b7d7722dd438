package io.spillway.scheduler.placement;

import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.plan.RefusalReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Renders a judgement for evaluations and explanations: ranked choices first, then refusals. */
final class Candidates {
  private static final Comparator<Judgement.Refusal> NEAREST_FIRST =
      Comparator.comparingInt(Judgement.Refusal::rung)
          .thenComparing(refusal -> refusal.verdict().reason(), Comparator.reverseOrder())
          .thenComparingInt(refusal -> refusal.offering().index());

  private final Board board;
  private final Gang gang;

  Candidates(Board board, Gang gang) {
    this.board = board;
    this.gang = gang;
  }

  /** The best, then those that were nearest to being taken; at most so many. */
  List<Candidate> of(Judgement judgement, int atMost) {
    List<Candidate> candidates = new ArrayList<>();
    for (Choice choice : judgement.choices()) {
      if (candidates.size() == atMost) {
        return candidates;
      }
      candidates.add(
          new Candidate(
              choice.offering().id(),
              choice.rung(),
              candidates.size() + 1,
              Optional.of(choice.price().price()),
              Optional.empty(),
              Optional.empty(),
              ""));
    }
    judgement.refused().stream()
        .sorted(NEAREST_FIRST)
        .limit(atMost - (long) candidates.size())
        .map(this::refused)
        .forEach(candidates::add);
    return candidates;
  }

  /** Offerings by the reason that refused them, those that never match included. */
  static Map<RefusalReason, Integer> counts(StaticMatch match, Judgement judgement) {
    Map<RefusalReason, Integer> counts = new EnumMap<>(RefusalReason.class);
    counts.putAll(match.refused());
    judgement
        .refused()
        .forEach(refusal -> counts.merge(refusal.verdict().reason(), 1, Integer::sum));
    return counts;
  }

  private Candidate refused(Judgement.Refusal refusal) {
    return new Candidate(
        refusal.offering().id(),
        refusal.rung(),
        0,
        price(refusal.offering()),
        Optional.of(refusal.verdict().reason()),
        refusal.verdict().until(),
        detail(refusal));
  }

  /** A price that was not believed is shown, too. */
  private Optional<UsdPerGpuHour> price(Offering offering) {
    return switch (board.condition(offering).quote()) {
      case Quote.Priced priced -> Optional.of(priced.price());
      case Quote.Unusable unusable -> unusable.shown();
    };
  }

  private String detail(Judgement.Refusal refusal) {
    Offering offering = refusal.offering();
    return switch (refusal.verdict().reason()) {
      case NO_ROOM ->
          "needs "
              + board.neededNodes(offering, gang.shape())
              + " nodes, "
              + board.freeNodes(offering)
              + " of "
              + offering.present()
              + " free";
      case LAUNCH_BUDGET -> board.inFlight(offering) + " launches in flight";
      default -> refusal.verdict().detail();
    };
  }
}
