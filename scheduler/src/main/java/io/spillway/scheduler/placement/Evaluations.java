package io.spillway.scheduler.placement;

import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.state.ParkedClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is stored of a class's turn: nothing, if it was judged as before and nothing came of it. */
final class Evaluations {
  private Evaluations() {}

  static Optional<Evaluation> of(Contender contender, Board board) {
    if (contender.placed().isEmpty() && contender.parked().isEmpty()) {
      return Optional.empty();
    }
    List<Evaluation.Candidate> candidates =
        contender
            .told()
            .map(
                it ->
                    new Candidates(board, it.subject().gang())
                        .of(it.judgement(), Evaluation.MAX_CANDIDATES))
            .orElse(List.of());
    Map<RefusalReason, Integer> refusals =
        contender
            .told()
            .map(it -> Candidates.counts(it.subject().match(), it.judgement()))
            .orElse(Map.of());
    List<ParkCause> causes = contender.parked().map(ParkedClass::causes).orElse(List.of());
    return Optional.of(
        new Evaluation(
            contender.text(),
            contender.queue(),
            candidates,
            refusals,
            contender.placed(),
            causes,
            contender.parked().map(ParkedClass::quarantined).orElse(false)));
  }
}
