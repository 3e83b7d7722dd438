package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.OHIO;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent.LaunchNotAdmitted;
import io.spillway.scheduler.event.AttemptEvent.StopConfirmed;
import io.spillway.scheduler.event.ControlEvent.InputIgnored;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Launches that a cluster's own gate refuses, by agents that may forget that they did. */
class GateStoryTest {
  private static final String WORDS = "image registry not allowed";

  private World world;
  private Agent agent;

  @BeforeEach
  void begin() {
    world = World.of(Land.usual());
    agent = world.agent();
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
  }

  @Test
  void a_refused_launch_is_stopped_by_name_and_its_replacement_waits_for_the_answer() {
    Instant since = world.now();
    Round refused =
        world
            .round(agent.gate("train", WORDS))
            .job("train", "DRAINING", Reason.GATE_REFUSED)
            .attempt("train", 1, "ENDING")
            .holds("train", DEAR)
            .startsNothing();
    assertThat(refused.only(LaunchNotAdmitted.class).words()).isEqualTo(WORDS);
    assertThat(refused.only(LaunchNotAdmitted.class).offering()).isEqualTo(CHEAP);
    world.later(Duration.ofSeconds(100)).round().startsNothing();
    world
        .round(agent.absent(world.attempt("train", 1)))
        .ended("train", 1, Outcome.REFUSED, Reason.GATE_REFUSED)
        .starts("train", DEAR);
    assertThat(((JobState.Launching) world.job("train").state()).waitingSince()).isEqualTo(since);
  }

  @Test
  void a_gates_refusal_excludes_the_offering_for_the_job_alone_and_counts_nothing() {
    world.round(agent.gate("train", WORDS));
    world.round(agent.absent(world.attempt("train", 1)));
    Standing standing = world.job("train").standing();
    assertThat(standing.excluded()).extracting(Standing.Exclusion::offering).containsOnly(CHEAP);
    assertThat(standing.refusals()).isZero();
    assertThat(standing.userFailures()).isZero();
    assertThat(standing.infrastructureFailures()).isZero();
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isEmpty();
    assertThat(world.state().launchBudget(CHEAP).limit()).isEqualTo(1);
    world.round(world.submit("other", gang(1))).starts("other", CHEAP);
  }

  @Test
  void a_gate_that_refuses_everywhere_leaves_the_job_waiting_with_that_reason() {
    world.round(agent.gate("train", "no")).holds("train", DEAR);
    world.round(agent.absent(world.attempt("train", 1))).starts("train", DEAR);
    world.round(agent.gate("train", "no")).holds("train", BARE);
    world.round(agent.absent(world.attempt("train", 2))).starts("train", BARE);
    world.round(agent.gate("train", "no")).job("train", "DRAINING");
    world
        .round(agent.absent(world.attempt("train", 3)))
        .job("train", "QUEUED", Reason.GATE_REFUSED);
    world.wait(Duration.ofMinutes(30)).startsNothing();
    assertThat(world.job("train").standing().excluded()).hasSize(3);
  }

  @Test
  void the_refusal_told_again_is_no_answer_to_the_stop() {
    Input refusal = agent.gate("train", WORDS);
    world.round(refusal, refusal).job("train", "DRAINING").startsNothing();
    world.later(Duration.ofSeconds(60)).round(refusal).startsNothing().only(InputIgnored.class);
    world.round(agent.absent(world.attempt("train", 1))).starts("train", DEAR);
  }

  @Test
  void a_copy_of_the_start_that_a_forgetful_agent_lets_in_is_stopped_before_the_job_goes_on() {
    world.round(agent.gate("train", WORDS)).holds("train", DEAR);
    world.round(refusedNow(Phase.STARTING)).startsNothing();
    world.round(refusedNow(Phase.RUNNING)).attempt("train", 1, "ENDING").startsNothing();
    world
        .round(agent.sweep(OHIO, Agent.present(world.attempt("train", 1), Phase.RUNNING)))
        .startsNothing();
    assertThat(world.state().strays()).isEmpty();
    world.restart().round().startsNothing();
    world
        .round(agent.ended(world.attempt("train", 1), Cause.STOPPED, 143))
        .ended("train", 1, Outcome.REFUSED, Reason.GATE_REFUSED)
        .starts("train", DEAR);
  }

  @Test
  void such_a_copy_that_has_done_the_work_has_done_it() {
    world.round(agent.gate("train", WORDS)).holds("train", DEAR);
    world
        .round(agent.ended(world.attempt("train", 1), Cause.EXITED, 0))
        .job("train", "SUCCEEDED")
        .ended("train", 2, Outcome.DROPPED, Reason.PREDECESSOR_SUCCEEDED)
        .startsNothing();
  }

  @Test
  void what_a_forgetful_agent_runs_already_is_not_taken_back_by_its_old_refusal() {
    Input refusal = agent.gate("train", WORDS);
    world.round(agent.running("train", "i-1"));
    world.round(refusal).job("train", "RUNNING").only(InputIgnored.class);
  }

  @Test
  void the_replacement_waits_for_as_long_as_the_agent_that_refused_is_cut_off() {
    world.round(agent.gate("train", WORDS)).holds("train", DEAR);
    world.round(new AgentInput.SessionClosed(OHIO, 1));
    world.wait(Duration.ofMinutes(20)).startsNothing();
    world.round().job("train", "DRAINING").attempt("train", 1, "ENDING");
    world.round(new AgentInput.SessionOpened(OHIO, 2, 1));
    world
        .round(agent.absent(world.attempt("train", 1)))
        .ended("train", 1, Outcome.REFUSED, Reason.GATE_REFUSED);
  }

  @Test
  void an_agent_that_never_answers_holds_the_job_up_to_the_stops_deadline_and_is_owed_the_stop() {
    world.round(agent.gate("train", WORDS)).holds("train", DEAR);
    world.later(Duration.ofSeconds(119)).round(agent.sweep(OHIO)).startsNothing();
    world
        .later(Duration.ofSeconds(1))
        .round()
        .ended("train", 1, Outcome.FENCED, Reason.DRAIN_DEADLINE_PASSED)
        .starts("train", DEAR);
    world.round(agent.absent(world.attempt("train", 1))).only(StopConfirmed.class);
  }

  @Test
  void a_launch_that_nobody_spoke_of_until_its_deadline_is_stopped_by_its_late_refusal_too() {
    world.wait(Duration.ofMinutes(16)).attempt("train", 1, "UNKNOWN");
    world
        .round(agent.gate("train", WORDS))
        .job("train", "DRAINING", Reason.GATE_REFUSED)
        .startsNothing();
  }

  @Test
  void a_job_cancelled_while_its_refusal_was_on_the_way_is_cancelled_by_the_agents_answer() {
    Input refusal = agent.gate("train", WORDS);
    world.round(world.command("train", JobVerb.CANCEL)).job("train", "CANCELLING");
    world.round(refusal).job("train", "CANCELLING").only(InputIgnored.class);
    world
        .round(agent.absent(world.attempt("train", 1)))
        .job("train", "CANCELLED")
        .ended("train", 1, Outcome.STOPPED, Reason.USER_CANCELLED);
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void a_job_cancelled_after_its_refusal_waits_for_the_same_answer() {
    world.round(agent.gate("train", WORDS)).holds("train", DEAR);
    world
        .round(world.command("train", JobVerb.CANCEL))
        .job("train", "CANCELLING")
        .ended("train", 2, Outcome.DROPPED, Reason.HOLD_DROPPED);
    world.round(agent.absent(world.attempt("train", 1))).job("train", "CANCELLED");
  }

  @Test
  void a_refused_hold_is_let_go_keeps_the_words_of_the_refusal_and_another_place_is_held() {
    world.round(agent.refused("train", Duration.ofMinutes(10))).holds("train", DEAR);
    Round refused =
        world
            .round(agent.gate("train", WORDS))
            .ended("train", 2, Outcome.DROPPED, Reason.GATE_REFUSED)
            .holds("train", BARE);
    assertThat(refused.only(LaunchNotAdmitted.class).words()).isEqualTo(WORDS);
    assertThat(refused.only(LaunchNotAdmitted.class).offering()).isEqualTo(DEAR);
  }

  @Test
  void the_words_of_a_refusal_are_kept_up_to_three_hundred_characters() {
    Round refused = world.round(agent.gate("train", "no! ".repeat(100)));
    assertThat(refused.only(LaunchNotAdmitted.class).words()).hasSize(300);
  }

  private Input refusedNow(Phase phase) {
    return agent.report(world.attempt("train", 1), phase, List.of(), Optional.empty());
  }
}
