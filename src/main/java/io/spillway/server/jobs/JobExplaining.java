package io.spillway.server.jobs;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.state.View;
import io.spillway.server.board.MarketBoards;
import io.spillway.server.leader.LeaderCall;
import io.spillway.server.loop.StateReader;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Explains a job: on the leader from its state, elsewhere by the leader's answer, and when that
 * does not come within 300 ms from the last stored evaluation.
 */
@ApplicationScoped
public class JobExplaining {
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final JobReading reading;
  private final JobQueries queries;
  private final StateReader state;
  private final LeaderCall leader;
  private final MarketBoards markets;
  private final RefusalWords words;
  private final SchedulerCore core = new SchedulerCore(CoreSettings.DEFAULT);
  private final InstantSource clock = InstantSource.system();

  JobExplaining(
      JobReading reading,
      JobQueries queries,
      StateReader state,
      LeaderCall leader,
      MarketBoards markets,
      RefusalWords words) {
    this.words = words;
    this.markets = markets;
    this.reading = reading;
    this.queries = queries;
    this.state = state;
    this.leader = leader;
  }

  /** What to send: the leader's own JSON, or an answer made here. */
  public record Explained(Optional<String> json, Optional<ExplainAnswer> answer) {}

  /**
   * @param forwarded another replica asks: no further hop
   */
  public Uni<Explained> explain(
      Caller caller, JobId id, Optional<String> authorization, boolean forwarded) {
    return reading
        .row(caller, id)
        .chain(
            row -> {
              if (state.leading()) {
                return here(row);
              }
              if (forwarded || authorization.isEmpty()) {
                return stored(row);
              }
              return leader
                  .get("/api/v1/jobs/" + id + "/explain", authorization.get(), PATIENCE)
                  .chain(json -> json.isPresent() ? asIs(json) : stored(row));
            });
  }

  private static Uni<Explained> asIs(Optional<String> json) {
    return Uni.createFrom().item(new Explained(json, Optional.empty()));
  }

  private Uni<Explained> here(JobRow row) {
    Instant now = clock.instant();
    return Uni.createFrom()
        .completionStage(() -> state.read(view -> evaluate(view, row, now)))
        .ifNoItem()
        .after(PATIENCE)
        .recoverWithItem(Optional.empty())
        .chain(answer -> answer.isPresent() ? worded(row, answer.get()) : stored(row));
  }

  private Optional<ExplainAnswer> evaluate(View view, JobRow row, Instant now) {
    return core.explain(view, row.jobId(), now)
        .map(explanation -> Explaining.now(row, explanation, view, markets.at(view, now)));
  }

  private Uni<Explained> stored(JobRow row) {
    if (row.shapeClass == null) {
      return made(Explaining.none(row));
    }
    return queries
        .evaluation(row.shapeClass)
        .chain(
            found ->
                worded(
                    row,
                    found
                        .map(stored -> Explaining.stored(row, stored))
                        .orElseGet(() -> Explaining.none(row))));
  }

  private Uni<Explained> worded(JobRow row, ExplainAnswer answer) {
    return words
        .in(row, answer)
        .ifNoItem()
        .after(PATIENCE)
        .recoverWithItem(answer)
        .chain(JobExplaining::made);
  }

  private static Uni<Explained> made(ExplainAnswer answer) {
    return Uni.createFrom().item(new Explained(Optional.empty(), Optional.of(answer)));
  }
}
