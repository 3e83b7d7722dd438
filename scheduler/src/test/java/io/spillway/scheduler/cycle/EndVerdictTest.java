package io.spillway.scheduler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.story.Land;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of evidence (semantics §5), as a table. */
class EndVerdictTest {
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");

  private static Attempt attempt(OfferingId offering, AttemptState state) {
    return new Attempt(
        new AttemptId(new JobId("01ZZZZZZZZZZZZZZZZZZZZZZZZ"), 1),
        new Attempt.Placement(offering, 0, "spot", UsdPerGpuHour.ZERO, UsdPerGpuHour.ZERO, 2, 8),
        state,
        1,
        false,
        List.of(),
        Optional.empty());
  }

  private static End end(Cause cause, String codes) {
    List<Integer> exits =
        codes.isEmpty()
            ? List.of()
            : Arrays.stream(codes.split(" ")).map(Integer::valueOf).toList();
    return new End(exits, cause, "");
  }

  @ParameterizedTest
  @CsvSource({
    "EXITED,    '0 0',  SUCCEEDED,      EXITED_ZERO",
    "DISRUPTED, '0 0',  SUCCEEDED,      EXITED_ZERO",
    "EXITED,    '0 1',  FAILED,         EXITED_NONZERO",
    "EXITED,    '',     INFRASTRUCTURE, INFRASTRUCTURE_FAULT",
    "STOPPED,   '0 0',  STOPPED,        STOP_CONFIRMED",
    "STOPPED,   '143',  STOPPED,        STOP_CONFIRMED",
    "DISRUPTED, '137',  INTERRUPTED,    INTERRUPTED",
    "NODE_LOST, '',     INTERRUPTED,    NODE_LOST",
    "DELETED,   '',     INFRASTRUCTURE, POD_DELETED",
  })
  void an_end_that_nobody_asked_for(Cause cause, String codes, Outcome outcome, Reason reason) {
    EndVerdict verdict =
        EndVerdict.of(attempt(Land.CHEAP, new AttemptState.Running(NOW)), end(cause, codes));
    assertThat(verdict.outcome()).isEqualTo(outcome);
    assertThat(verdict.reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "INTERRUPTED,             EXITED,  '143',  INTERRUPTED",
    "INTERRUPTED,             EXITED,  '0',    SUCCEEDED",
    "INTERRUPTED,             STOPPED, '0',    INTERRUPTED",
    "MAINTENANCE,             STOPPED, '143',  INTERRUPTED",
    "INSTANCE_LOST,           DELETED, '',     INTERRUPTED",
    "NODE_LOST,               STOPPED, '',     INTERRUPTED",
    "CAPACITY_REFUSED,        STOPPED, '',     REFUSED",
    "TRANSLATION_REFUSED,     STOPPED, '',     REFUSED",
    "GATE_REFUSED,            STOPPED, '',     REFUSED",
    "LAUNCH_DEADLINE_PASSED,  STOPPED, '',     REFUSED",
    "USER_CANCELLED,          EXITED,  '1',    STOPPED",
    "USER_REQUEUED,           STOPPED, '143',  STOPPED",
    "SUPERSEDED,              STOPPED, '',     STOPPED",
  })
  void an_end_while_it_was_being_ended(Reason why, Cause cause, String codes, Outcome outcome) {
    AttemptState ending = new AttemptState.Ending(NOW, NOW, why, Optional.empty());
    assertThat(EndVerdict.of(attempt(Land.CHEAP, ending), end(cause, codes)).outcome())
        .isEqualTo(outcome);
  }

  @Test
  void a_node_lost_outside_spot_is_infrastructures_fault() {
    AttemptState running = new AttemptState.Running(NOW);
    assertThat(EndVerdict.of(attempt(Land.BARE, running), end(Cause.NODE_LOST, "")).outcome())
        .isEqualTo(Outcome.INFRASTRUCTURE);
    assertThat(EndVerdict.of(attempt(Land.ON_DEMAND, running), end(Cause.NODE_LOST, "")).outcome())
        .isEqualTo(Outcome.INFRASTRUCTURE);
  }

  @Test
  void absence_means_what_was_being_done() {
    AttemptState ending =
        new AttemptState.Ending(NOW, NOW, Reason.USER_CANCELLED, Optional.empty());
    assertThat(EndVerdict.absent(attempt(Land.CHEAP, ending)))
        .isEqualTo(new EndVerdict(Outcome.STOPPED, Reason.USER_CANCELLED, ""));
    assertThat(EndVerdict.absent(attempt(Land.CHEAP, new AttemptState.Unknown(NOW))))
        .isEqualTo(new EndVerdict(Outcome.INFRASTRUCTURE, Reason.LAUNCH_NEVER_HAPPENED, ""));
    assertThat(EndVerdict.absent(attempt(Land.CHEAP, new AttemptState.Running(NOW))))
        .isEqualTo(new EndVerdict(Outcome.INFRASTRUCTURE, Reason.WORKLOAD_MISSING, ""));
  }

  @Test
  void the_detail_names_the_exit_codes_and_is_cut_at_three_hundred_characters() {
    Attempt running = attempt(Land.CHEAP, new AttemptState.Running(NOW));
    End end = new End(List.of(1, 0), Cause.EXITED, "loss is NaN");
    assertThat(EndVerdict.of(running, end).detail()).isEqualTo("exit codes [1, 0] loss is NaN");
    End endless = new End(List.of(), Cause.DELETED, "x".repeat(1_000));
    assertThat(EndVerdict.of(running, endless).detail()).hasSize(300);
    assertThat(EndVerdict.of(running, new End(List.of(), Cause.DELETED, "x".repeat(300))).detail())
        .hasSize(300);
  }
}
