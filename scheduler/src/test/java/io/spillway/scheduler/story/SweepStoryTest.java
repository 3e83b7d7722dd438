package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.METAL;
import static io.spillway.scheduler.story.Land.OHIO;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.ClusterEvent.StrayFound;
import io.spillway.scheduler.event.ClusterEvent.StrayGone;
import io.spillway.scheduler.event.ClusterEvent.StrayStopped;
import io.spillway.scheduler.event.ControlEvent.DriftFound;
import io.spillway.scheduler.event.ControlEvent.RecoveryEntered;
import io.spillway.scheduler.event.ControlEvent.RecoveryLeft;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.AgentInput.Present;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What runs and what should run, compared both ways; and the restored store. */
class SweepStoryTest {
  private static final JobId NOBODY = new JobId("01ZZZZZZZZZZZZZZZZZZZZZZZZ");

  private final World world = World.of(Land.usual());
  private final Agent agent = world.agent();

  private static Present stray() {
    return new Present(new AttemptId(NOBODY, 1), 1, Phase.RUNNING, List.of("i-9"));
  }

  private void trainRuns() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.running("train", "i-1"));
  }

  @Test
  void KUE_17_a_workload_that_is_missing_is_an_infrastructure_failure_and_no_success() {
    trainRuns();
    world
        .round(agent.sweep(OHIO))
        .job("train", "QUEUED", Reason.WORKLOAD_MISSING)
        .ended("train", 1, Outcome.INFRASTRUCTURE, Reason.WORKLOAD_MISSING);
    assertThat(world.job("train").standing().infrastructureFailures()).isEqualTo(1);
  }

  @Test
  void a_sweep_that_is_older_than_the_last_report_proves_nothing() {
    world.round(world.submit("train", gang(1)));
    var old = agent.sweep(OHIO);
    world.round(agent.running("train", "i-1"));
    world.round(old).job("train", "RUNNING");
  }

  @Test
  void a_launch_that_a_sweep_does_not_show_is_simply_sent_again() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.sweep(OHIO)).job("train", "LAUNCHING").attempt("train", 1, "LAUNCHING");
  }

  @Test
  void SKY_12_an_unknown_launch_that_a_later_sweep_does_not_show_is_stopped_by_name() {
    world.round(world.submit("train", gang(1)));
    world.wait(Duration.ofMinutes(15)).attempt("train", 1, "UNKNOWN");
    world.later(Duration.ofSeconds(59)).round(agent.sweep(OHIO)).attempt("train", 1, "UNKNOWN");
    world
        .later(Duration.ofSeconds(1))
        .round(agent.sweep(OHIO))
        .attempt("train", 1, "ENDING")
        .job("train", "DRAINING");
    world
        .round(agent.absent(world.attempt("train", 1)))
        .ended("train", 1, Outcome.STOPPED, Reason.LAUNCH_NEVER_HAPPENED)
        .job("train", "LAUNCHING");
    assertThat(world.state().usage().on(OHIO)).hasSize(1);
  }

  @Test
  void a_sweep_shows_what_reports_have_not_told_yet() {
    world.round(world.submit("train", gang(1)));
    Attempt attempt = world.attempt("train");
    world
        .round(agent.sweep(OHIO, Agent.present(attempt, Phase.STARTING)))
        .attempt("train", 1, "STARTING");
    world
        .round(agent.sweep(OHIO, new Present(attempt.id(), 1, Phase.RUNNING, List.of("i-1"))))
        .job("train", "RUNNING");
    assertThat(world.attempt("train").instances()).containsExactly("i-1");
    world
        .round(agent.sweep(OHIO, new Present(attempt.id(), 1, Phase.ENDED, List.of())))
        .job("train", "RUNNING");
  }

  @Test
  void absence_ends_what_was_being_stopped() {
    trainRuns();
    world.round(world.command("train", CommandInput.JobVerb.CANCEL));
    world
        .round(agent.sweep(OHIO))
        .job("train", "CANCELLED")
        .ended("train", 1, Outcome.STOPPED, Reason.USER_CANCELLED);
  }

  @Test
  void a_sweep_taken_before_a_late_start_ends_nothing_though_a_hold_was_reported_once() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.held("train"));
    world.wait(Duration.ofMinutes(15)).attempt("train", 1, "UNKNOWN");
    var first = agent.sweep(OHIO);
    var second = agent.sweep(OHIO);
    world.later(Duration.ofSeconds(60)).round(first).attempt("train", 1, "ENDING");
    world.round(second).attempt("train", 1, "ENDING").job("train", "DRAINING");
  }

  @Test
  void KAR_10_a_stray_is_stopped_after_two_sweeps_a_minute_apart_and_not_before() {
    assertThat(world.round(agent.sweep(OHIO, stray())).of(StrayFound.class)).hasSize(1);
    world.later(Duration.ofSeconds(59));
    assertThat(world.round(agent.sweep(OHIO, stray())).of(StrayStopped.class)).isEmpty();
    world.later(Duration.ofSeconds(1));
    assertThat(world.round(agent.sweep(OHIO, stray())).of(StrayStopped.class)).hasSize(1);
    assertThat(world.round(agent.sweep(OHIO)).of(StrayGone.class)).hasSize(1);
    assertThat(world.state().strays(OHIO)).isEmpty();
  }

  @Test
  void KAI_03_a_stray_older_than_a_minute_is_drift() {
    world.round(agent.sweep(OHIO, stray()));
    Round audited = world.wait(Duration.ofSeconds(125));
    assertThat(world.state().system().drift()).isEqualTo(1);
    assertThat(audited.of(DriftFound.class)).isNotNull();
    world.round(agent.sweep(OHIO));
    world.wait(Duration.ofSeconds(60));
    assertThat(world.state().system().drift()).isZero();
  }

  @Test
  void KUE_16_a_workload_of_another_cluster_with_a_known_name_is_a_stray() {
    trainRuns();
    Present elsewhere = Agent.present(world.attempt("train"), Phase.RUNNING);
    assertThat(world.round(agent.sweep(METAL, elsewhere)).of(StrayFound.class)).hasSize(1);
    world.round().job("train", "RUNNING");
  }

  @Test
  void a_newer_store_means_recovery_in_which_nothing_is_placed_or_stopped() {
    trainRuns();
    Round entered = world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    assertThat(entered.of(RecoveryEntered.class)).hasSize(1);
    world.round(new AgentInput.NewerStoreReported(METAL, "gen-2", 901)).isQuiet();
    world.round(world.submit("next", gang(1))).startsNothing().job("next", "QUEUED");
    world.round(agent.sweep(OHIO, stray(), Agent.present(world.attempt("train"), Phase.RUNNING)));
    world.later(Duration.ofSeconds(90));
    Round again =
        world.round(
            agent.sweep(OHIO, stray(), Agent.present(world.attempt("train"), Phase.RUNNING)));
    assertThat(again.of(StrayStopped.class)).isEmpty();
    Round left = world.round(new CommandInput.RecoveryEnded());
    assertThat(left.only(RecoveryLeft.class).byOperator()).isTrue();
    left.starts("next", CHEAP);
  }

  @Test
  void recovery_ends_by_itself_when_every_agent_swept_and_everything_matches() {
    trainRuns();
    world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    Present train = Agent.present(world.attempt("train"), Phase.RUNNING);
    assertThat(world.round(agent.sweep(OHIO, train)).of(RecoveryLeft.class)).isEmpty();
    assertThat(world.round(agent.sweep(METAL, stray())).of(RecoveryLeft.class)).isEmpty();
    assertThat(world.round(agent.sweep(METAL)).only(RecoveryLeft.class).byOperator()).isFalse();
  }

  @Test
  void DST_14_after_recovery_a_job_waits_for_the_end_of_a_stray_of_its_own() {
    world.round(new CommandInput.SystemPauseSet(true));
    world.round(world.submit("train", gang(1)));
    world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    AttemptId later = new AttemptId(world.id("train"), 1);
    Present starting = new Present(later, 7, Phase.STARTING, List.of());
    world.round(agent.sweep(OHIO, starting)).job("train", "QUEUED");

    world.round(new CommandInput.SystemPauseSet(false));
    world.round(new CommandInput.RecoveryEnded()).job("train", "HELD", Reason.STRAY_RUNS);
    world.round(world.command("train", CommandInput.JobVerb.RELEASE)).job("train", "HELD");

    world.later(Duration.ofSeconds(60));
    assertThat(world.round(agent.sweep(OHIO, starting)).of(StrayStopped.class)).hasSize(1);
    world.round(agent.sweep(OHIO)).starts("train", CHEAP);
  }

  @Test
  void DST_14_a_held_replacement_does_not_start_beside_a_stray_of_the_same_number() {
    trainRuns();
    Optional<Instant> deadline = Optional.of(world.now().plusSeconds(120));
    world
        .round(
            new MarketInput.NoticeReceived(
                new CapacityNotice(
                    "n1",
                    "aws",
                    "prod",
                    "here",
                    CapacityNotice.Kind.INTERRUPTION,
                    List.of("i-1"),
                    Optional.empty(),
                    world.now(),
                    deadline)))
        .job("train", "DRAINING");
    Attempt held = world.attempt("train", 2);
    ClusterName elsewhere = held.placement().offering().cluster().equals(OHIO) ? METAL : OHIO;
    Present stray = new Present(held.id(), 7, Phase.RUNNING, List.of("i-9"));
    world.round(new AgentInput.NewerStoreReported(elsewhere, "gen-2", 900));
    world.round(agent.sweep(elsewhere, stray));

    world.round(new CommandInput.RecoveryEnded()).job("train", "DRAINING");
    world
        .round(agent.ended(world.attempt("train", 1), Cause.DISRUPTED, 143))
        .job("train", "HELD", Reason.STRAY_RUNS)
        .startsNothing();
  }

  @Test
  void DST_14_in_recovery_a_live_workload_of_a_waiting_job_is_adopted() {
    world.round(new CommandInput.SystemPauseSet(true));
    world.round(world.submit("train", gang(1)));
    world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    world.round(
        new AgentInput.NodesReported(OHIO, true, List.of(Land.node("i-5", CHEAP)), List.of()));
    AttemptId id = new AttemptId(world.id("train"), 3);
    world
        .round(agent.sweep(OHIO, new Present(id, 7, Phase.RUNNING, List.of("i-5"))))
        .job("train", "RUNNING")
        .attempt("train", 3, "RUNNING");
    Attempt adopted = world.attempt("train");
    assertThat(adopted.placement().offering()).isEqualTo(CHEAP);
    assertThat(adopted.placement().price())
        .isEqualTo(Land.seen(CHEAP, "2.00", world.now()).price().orElseThrow());
    assertThat(adopted.epoch()).isEqualTo(7);
    world.round(agent.exited("train", 0)).job("train", "SUCCEEDED");
  }

  @Test
  void in_recovery_a_later_attempt_that_runs_proves_that_the_one_before_it_is_over() {
    trainRuns();
    world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    world.round(
        new AgentInput.NodesReported(OHIO, true, List.of(Land.node("i-5", CHEAP)), List.of()));
    AttemptId later = new AttemptId(world.id("train"), 2);
    world
        .round(agent.sweep(OHIO, new Present(later, 7, Phase.RUNNING, List.of("i-5"))))
        .job("train", "RUNNING")
        .attempt("train", 2, "RUNNING");
    world.round(new CommandInput.RecoveryEnded()).job("train", "RUNNING");
    world.round(agent.exited("train", 0)).job("train", "SUCCEEDED");
  }

  @Test
  void in_recovery_a_workload_whose_nodes_are_unknown_is_listed_and_not_adopted() {
    world.round(new CommandInput.SystemPauseSet(true));
    world.round(world.submit("train", gang(1)));
    world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    AttemptId id = new AttemptId(world.id("train"), 1);
    Round swept = world.round(agent.sweep(OHIO, new Present(id, 7, Phase.RUNNING, List.of("x"))));
    assertThat(swept.of(StrayFound.class)).hasSize(1);
    swept.job("train", "QUEUED");
  }

  @Test
  void in_recovery_no_deadline_ends_anything() {
    trainRuns();
    world.round(world.command("train", CommandInput.JobVerb.CANCEL));
    world.round(new AgentInput.NewerStoreReported(OHIO, "gen-2", 900));
    world.wait(Duration.ofMinutes(30)).job("train", "CANCELLING");
  }
}
