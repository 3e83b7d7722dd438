package io.spillway.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.story.Land;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every transition of semantics §4, and that there is no other. */
class MovesTest {
  private static final JobId JOB = new JobId("01ZZZZZZZZZZZZZZZZZZZZZZZZ");
  private static final AttemptId FIRST = new AttemptId(JOB, 1);
  private static final AttemptId SECOND = new AttemptId(JOB, 2);
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  private static final Map<String, JobState> JOB_STATES = jobStates();
  private static final Map<String, AttemptState> ATTEMPT_STATES = attemptStates();

  private static Map<String, JobState> jobStates() {
    Map<String, JobState> states = new TreeMap<>();
    List.of(
            new JobState.Queued(NOW, Reason.SUBMITTED, Optional.empty()),
            new JobState.Held(NOW, Reason.USER_HELD),
            new JobState.Launching(FIRST, NOW),
            new JobState.Running(FIRST, NOW),
            new JobState.Draining(FIRST, Optional.empty(), Reason.INTERRUPTED, NOW),
            new JobState.Cancelling(FIRST, NOW, Reason.USER_CANCELLED))
        .forEach(state -> states.put(state.label(), state));
    return states;
  }

  private static Map<String, AttemptState> attemptStates() {
    Map<String, AttemptState> states = new TreeMap<>();
    List.of(
            new AttemptState.Intended(Optional.of(FIRST), NOW, false),
            new AttemptState.Launching(NOW, LATER),
            new AttemptState.Unknown(NOW),
            new AttemptState.Starting(NOW, LATER),
            new AttemptState.Running(NOW),
            new AttemptState.Ending(NOW, LATER, Reason.INTERRUPTED, Optional.empty()),
            new AttemptState.Ended(NOW, Outcome.FENCED, Reason.STOP_DEADLINE_PASSED, false))
        .forEach(state -> states.put(state.label(), state));
    return states;
  }

  private static JobEvent jobEvent(String to) {
    return switch (to) {
      case "QUEUED" ->
          new JobEvent.JobQueued(JOB, LATER, Reason.INTERRUPTED, Standing.FRESH, Optional.empty());
      case "READY" -> new JobEvent.BackoffEnded(JOB);
      case "HELD" -> new JobEvent.JobHeld(JOB, LATER, Reason.USER_HELD);
      case "LAUNCHING" -> new JobEvent.JobLaunching(JOB, SECOND);
      case "RUNNING" -> new JobEvent.JobRunning(JOB, FIRST, LATER);
      case "DRAINING" ->
          new JobEvent.JobDraining(JOB, FIRST, LATER, Reason.INTERRUPTED, Standing.FRESH);
      case "HOLDING" -> new JobEvent.ReplacementSet(JOB, Optional.of(SECOND));
      case "CANCELLING" -> new JobEvent.JobCancelling(JOB, FIRST, LATER, Reason.USER_CANCELLED);
      case "SUCCEEDED" -> new JobEvent.JobSucceeded(JOB, LATER, FIRST);
      case "CANCELLED" -> new JobEvent.JobCancelled(JOB, LATER);
      case "FAILED" -> new JobEvent.JobFailed(JOB, LATER, Reason.QUEUE_TTL_EXPIRED);
      default -> throw new IllegalArgumentException(to);
    };
  }

  private static AttemptEvent attemptEvent(String to) {
    return switch (to) {
      case "LAUNCHING" -> new AttemptEvent.AttemptLaunching(FIRST, Land.CHEAP, LATER, LATER);
      case "HELD" -> new AttemptEvent.HoldConfirmed(FIRST, List.of("i-1"));
      case "STARTING" -> new AttemptEvent.AttemptStarting(FIRST, Land.CHEAP, LATER, LATER);
      case "RUNNING" -> new AttemptEvent.AttemptRunning(FIRST, Land.CHEAP, LATER, List.of("i-1"));
      case "UNKNOWN" -> new AttemptEvent.AttemptUnknown(FIRST, Land.CHEAP, LATER);
      case "ENDING" -> new AttemptEvent.AttemptEnding(FIRST, LATER, NOW, Reason.MAINTENANCE);
      case "ENDED" -> ended(Outcome.FAILED);
      case "DROPPED" -> ended(Outcome.DROPPED);
      case "LATE" -> new AttemptEvent.LateSuccess(FIRST, LATER);
      case "SETTLED" -> new AttemptEvent.StopConfirmed(FIRST, LATER);
      default -> throw new IllegalArgumentException(to);
    };
  }

  private static AttemptEvent ended(Outcome outcome) {
    return new AttemptEvent.AttemptEnded(
        FIRST,
        Land.CHEAP,
        LATER,
        outcome,
        Reason.EXITED_NONZERO,
        Optional.empty(),
        Duration.ZERO,
        "");
  }

  private static Attempt attempt(AttemptState state) {
    return new Attempt(
        FIRST,
        new Attempt.Placement(Land.CHEAP, 0, "spot", UsdPerGpuHour.ZERO, UsdPerGpuHour.ZERO, 1, 8),
        state,
        1,
        false,
        List.of(),
        Optional.empty());
  }

  private static State with(JobState job, AttemptState attempt) {
    return State.restore(
        new Rows(
            PolicySet.EMPTY,
            List.of(new Job(JOB, Land.gang(1), NOW, job, Standing.FRESH, 1, Duration.ZERO)),
            List.of(attempt(attempt))),
        Memo.EMPTY,
        List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "QUEUED,     READY HELD LAUNCHING SUCCEEDED CANCELLED FAILED",
    "HELD,       QUEUED SUCCEEDED CANCELLED FAILED",
    "LAUNCHING,  RUNNING QUEUED DRAINING SUCCEEDED CANCELLING FAILED",
    "RUNNING,    SUCCEEDED FAILED DRAINING QUEUED CANCELLING",
    "DRAINING,   LAUNCHING QUEUED HELD HOLDING SUCCEEDED FAILED CANCELLING",
    "CANCELLING, CANCELLED SUCCEEDED FAILED",
  })
  void a_job_goes_where_its_state_allows_and_nowhere_else(String from, String targets) {
    Set<String> allowed = Set.copyOf(Arrays.asList(targets.split(" ")));
    for (String to :
        List.of(
            "QUEUED",
            "READY",
            "HELD",
            "LAUNCHING",
            "RUNNING",
            "DRAINING",
            "HOLDING",
            "CANCELLING",
            "SUCCEEDED",
            "CANCELLED",
            "FAILED")) {
      State state = with(JOB_STATES.get(from), ATTEMPT_STATES.get("RUNNING"));
      Draft draft = state.draft();
      if (allowed.contains(to)) {
        draft.apply(jobEvent(to));
        String label =
            switch (to) {
              case "READY" -> "QUEUED";
              case "HOLDING" -> "DRAINING";
              default -> to;
            };
        assertThat(draft.view().job(JOB).orElseThrow().state().label()).isEqualTo(label);
      } else {
        refused(draft, jobEvent(to), from);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "INTENDED,  LAUNCHING HELD DROPPED",
    "LAUNCHING, STARTING RUNNING UNKNOWN ENDING ENDED DROPPED",
    "UNKNOWN,   STARTING RUNNING ENDING ENDED DROPPED",
    "STARTING,  RUNNING ENDING ENDED DROPPED",
    "RUNNING,   ENDING ENDED DROPPED",
    "ENDING,    ENDING ENDED DROPPED",
    "ENDED,     LATE SETTLED",
  })
  void an_attempt_goes_where_its_state_allows_and_nowhere_else(String from, String targets) {
    Set<String> allowed = Set.copyOf(Arrays.asList(targets.split(" ")));
    for (String to :
        List.of(
            "LAUNCHING",
            "HELD",
            "STARTING",
            "RUNNING",
            "UNKNOWN",
            "ENDING",
            "ENDED",
            "DROPPED",
            "LATE",
            "SETTLED")) {
      State state = with(JOB_STATES.get("RUNNING"), ATTEMPT_STATES.get(from));
      Draft draft = state.draft();
      if (allowed.contains(to)) {
        draft.apply(attemptEvent(to));
        String label =
            switch (to) {
              case "HELD" -> "INTENDED";
              case "DROPPED", "LATE", "SETTLED" -> "ENDED";
              default -> to;
            };
        assertThat(draft.view().attempt(FIRST).orElseThrow().state().label()).isEqualTo(label);
      } else {
        refused(draft, attemptEvent(to), from);
      }
    }
  }

  private static void refused(Draft draft, Event event, String from) {
    assertThatThrownBy(() -> draft.apply(event))
        .as(from + " by " + event)
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining(from);
  }
}
