package io.spillway.server.jobs;

import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.state.ParkedClass;
import io.spillway.scheduler.state.View;
import io.spillway.server.board.MarketBoard;
import io.spillway.server.codec.StoreCodec;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Turns what the core says, now or then, into the answer. */
final class Explaining {
  private static final StoreCodec CODEC = new StoreCodec();

  private static final ExplainAnswer.Change BACK_OFF =
      new ExplainAnswer.Change(ParkCause.Kind.BACKOFF.name(), "");

  private Explaining() {}

  static ExplainAnswer now(JobRow row, Explanation explanation, View view, MarketBoard market) {
    Map<String, Integer> refusals = new TreeMap<>();
    explanation
        .candidates()
        .forEach(
            candidate ->
                candidate.refusal().ifPresent(why -> refusals.merge(why.name(), 1, Integer::sum)));
    Optional<Job> job = view.job(row.jobId());
    Optional<Instant> backOff = job.flatMap(Explaining::backOff);
    return new ExplainAnswer(
        row.id,
        row.state,
        row.reason,
        "leader",
        Optional.of(explanation.asOf()),
        false,
        Optional.of(explanation.shapeClass()),
        explanation.candidates().stream().map(c -> candidate(c, observation(view, c))).toList(),
        refusals,
        explanation.rungs().stream()
            .map(rung -> new ExplainAnswer.Rung(rung.name(), rung.open(), rung.opensAt()))
            .toList(),
        explanation.ahead().stream().map(Object::toString).toList(),
        explanation.line().map(line -> new ExplainAnswer.Line(line.ahead(), line.exact())),
        job.flatMap(known -> Positions.of(view, known)),
        explanation
            .parked()
            .map(p -> changes(p.causes()))
            .orElseGet(() -> backOff.stream().map(at -> BACK_OFF).toList()),
        job.map(known -> market.cheaperElsewhere(known.order().shape(), best(explanation)))
            .orElse(List.of()),
        explanation.parked().flatMap(ParkedClass::until).or(() -> backOff),
        explanation.parked().map(ParkedClass::quarantined).orElse(false));
  }

  /** Until when it is set aside after a failure, wherever there may be room for it. */
  private static Optional<Instant> backOff(Job job) {
    return job.state() instanceof JobState.Queued queued ? queued.notBefore() : Optional.empty();
  }

  private static Optional<UsdPerGpuHour> best(Explanation explanation) {
    return explanation.candidates().stream()
        .filter(candidate -> candidate.rank() > 0)
        .flatMap(candidate -> candidate.price().stream())
        .min(Comparator.naturalOrder());
  }

  private static Optional<Observation> observation(View view, Evaluation.Candidate candidate) {
    return view.catalogue().key(candidate.offering()).flatMap(view::observation);
  }

  static ExplainAnswer stored(JobRow row, EvaluationRow stored) {
    Evaluation evaluation = CODEC.read(StoreCodec.FORMAT, stored.body, Evaluation.class);
    Map<String, Integer> refusals = new TreeMap<>();
    evaluation.refusals().forEach((why, count) -> refusals.put(why.name(), count));
    return answer(
        row,
        "stored",
        Optional.of(stored.decidedAt),
        evaluation.candidates().stream().map(c -> candidate(c, Optional.empty())).toList(),
        refusals,
        changes(evaluation.parked()),
        evaluation.quarantined());
  }

  /** No cycle has judged it yet, or the evaluation is older than what is kept. */
  static ExplainAnswer none(JobRow row) {
    return answer(row, "none", Optional.empty(), List.of(), Map.of(), List.of(), false);
  }

  private static ExplainAnswer answer(
      JobRow row,
      String source,
      Optional<Instant> asOf,
      List<ExplainAnswer.Candidate> candidates,
      Map<String, Integer> refusals,
      List<ExplainAnswer.Change> changes,
      boolean quarantined) {
    return new ExplainAnswer(
        row.id,
        row.state,
        row.reason,
        source,
        asOf,
        true,
        Optional.ofNullable(row.shapeClass),
        candidates,
        refusals,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        changes,
        List.of(),
        Optional.empty(),
        quarantined);
  }

  private static ExplainAnswer.Candidate candidate(
      Evaluation.Candidate candidate, Optional<Observation> seen) {
    Optional<BigDecimal> price = candidate.price().map(UsdPerGpuHour::dollars);
    return new ExplainAnswer.Candidate(
        candidate.offering().text(),
        candidate.rung(),
        candidate.rank(),
        price,
        price,
        candidate.refusal().map(Enum::name),
        candidate.until(),
        candidate.detail(),
        seen.map(Observation::observedAt),
        seen.map(Observation::priceAt),
        seen.map(o -> o.trust().name()),
        seen.map(Observation::source));
  }

  private static List<ExplainAnswer.Change> changes(List<ParkCause> causes) {
    return causes.stream()
        .map(cause -> new ExplainAnswer.Change(cause.kind().name(), cause.subject()))
        .toList();
  }
}
