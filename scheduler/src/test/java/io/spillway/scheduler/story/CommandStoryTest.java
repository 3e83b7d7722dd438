package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.ControlEvent.InputIgnored;
import io.spillway.scheduler.event.JobEvent.CommandRefused;
import io.spillway.scheduler.event.JobEvent.LabelsChanged;
import io.spillway.scheduler.event.JobEvent.PriorityChanged;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users and operators may ask, and when. */
class CommandStoryTest {
  private final World world = World.of(Land.usual());
  private final Agent agent = world.agent();

  private void refused(Round round, String command, String state) {
    CommandRefused refused = round.only(CommandRefused.class);
    assertThat(refused.command()).isEqualTo(command);
    assertThat(refused.state()).isEqualTo(state);
    assertThat(refused.writer()).isEqualTo("story");
  }

  private void trainRuns() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1"));
  }

  @Test
  void a_queued_job_is_cancelled_at_once() {
    world.round(world.submit("big", gang(40)));
    world.round(world.command("big", JobVerb.CANCEL)).job("big", "CANCELLED");
    assertThat(world.state().jobs()).isEmpty();
    assertThat(world.round(world.command("big", JobVerb.CANCEL)).only(InputIgnored.class).reason())
        .contains("ended");
  }

  @Test
  void a_cancel_taken_with_its_submit_leaves_nothing_behind() {
    world.round(world.submit("train", gang(1)), cancel("train")).job("train", "CANCELLED");
    world.round().startsNothing();
  }

  private Input cancel(String name) {
    return world.command(name, JobVerb.CANCEL);
  }

  @Test
  void SKY_11_TIT_03_a_cancel_fences_the_launch_that_is_under_way_until_its_stop_is_confirmed() {
    world.round(world.submit("train", gang(1)));
    world.round(cancel("train")).job("train", "CANCELLING").attempt("train", 1, "ENDING");
    world.wait(Duration.ofSeconds(119)).job("train", "CANCELLING");
    world
        .later(Duration.ofSeconds(1))
        .round()
        .job("train", "CANCELLED")
        .ended("train", 1, Outcome.FENCED, Reason.STOP_DEADLINE_PASSED);
    assertThat(world.state().attempts()).hasSize(1);
    world.round(agent.running("train", "i-1")).startsNothing();
    world.round(agent.absent(world.attempt("train")));
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void a_cancel_of_an_unknown_launch_is_cancelled_by_the_agents_word() {
    world.round(world.submit("train", gang(1)));
    world.wait(Duration.ofMinutes(15)).attempt("train", 1, "UNKNOWN");
    world.round(cancel("train")).attempt("train", 1, "ENDING");
    world
        .round(agent.absent(world.attempt("train")))
        .job("train", "CANCELLED")
        .ended("train", 1, Outcome.STOPPED, Reason.USER_CANCELLED);
  }

  @Test
  void a_cancel_while_draining_drops_the_hold() {
    trainRuns();
    world.round(agent.refused("train", Duration.ofMinutes(1))).job("train", "RUNNING");
    world.round(world.submit("other", gang(1))).starts("other", DEAR);
    world.round(agent.refused("other", Duration.ofMinutes(1))).holds("other", BARE);
    world
        .round(cancel("other"))
        .job("other", "CANCELLING")
        .ended("other", 2, Outcome.DROPPED, Reason.HOLD_DROPPED);
    world.round(agent.absent(world.attempt("other", 1))).job("other", "CANCELLED");
  }

  @Test
  void a_job_that_succeeds_while_it_is_cancelled_has_succeeded() {
    trainRuns();
    world.round(cancel("train"));
    refused(world.round(cancel("train")), "CANCEL", "CANCELLING");
    world.round(agent.exited("train", 0)).job("train", "SUCCEEDED");
  }

  @Test
  void a_held_job_waits_until_it_is_released_and_keeps_its_place() {
    world.round(new CommandInput.SystemPauseSet(true));
    world.round(world.submit("train", gang(1))).startsNothing();
    world.round(world.command("train", JobVerb.HOLD)).job("train", "HELD", Reason.USER_HELD);
    refused(world.round(world.command("train", JobVerb.HOLD)), "HOLD", "HELD");
    world.round(new CommandInput.SystemPauseSet(false)).startsNothing();
    world.later(Duration.ofMinutes(1));
    world.round(world.command("train", JobVerb.RELEASE)).starts("train", CHEAP);
    assertThat(world.job("train").submittedAt()).isEqualTo(World.START);
    refused(world.round(world.command("train", JobVerb.RELEASE)), "RELEASE", "LAUNCHING");
    refused(world.round(world.command("train", JobVerb.HOLD)), "HOLD", "LAUNCHING");
  }

  @Test
  void a_requeue_drains_the_attempt_and_only_its_end_queues_the_job_again() {
    trainRuns();
    world
        .round(world.command("train", JobVerb.REQUEUE))
        .job("train", "DRAINING", Reason.USER_REQUEUED)
        .startsNothing();
    refused(world.round(world.command("train", JobVerb.REQUEUE)), "REQUEUE", "DRAINING");
    Attempt first = world.attempt("train");
    world
        .round(agent.ended(first, Cause.STOPPED, 0))
        .ended("train", 1, Outcome.STOPPED, Reason.USER_REQUEUED)
        .starts("train", CHEAP);
    assertThat(world.job("train").standing().totalInterruptions()).isZero();
  }

  @Test
  void an_attempt_may_be_stopped_once_and_an_ended_one_not_at_all() {
    trainRuns();
    AttemptId id = world.attempt("train").id();
    CommandInput stop = new CommandInput.AttemptStopRequested(id);
    world.round(stop).job("train", "DRAINING", Reason.USER_STOPPED_ATTEMPT);
    refused(world.round(stop), "STOP_ATTEMPT", "DRAINING");
    world.round(agent.absent(world.attempt("train", 1)));
    refused(world.round(stop), "STOP_ATTEMPT", "LAUNCHING");
    CommandInput other = new CommandInput.AttemptStopRequested(new AttemptId(id.job(), 9));
    assertThat(world.round(other).of(InputIgnored.class)).hasSize(1);
  }

  @Test
  void commands_to_an_unknown_job_are_ignored_and_said_so() {
    JobId nobody = new JobId("01ZZZZZZZZZZZZZZZZZZZZZZZZ");
    Round round =
        world.round(
            new CommandInput.JobCommanded(nobody, JobVerb.CANCEL),
            new CommandInput.JobPatched(nobody, Optional.of("low"), Optional.empty()),
            new CommandInput.AttemptStopRequested(new AttemptId(nobody, 1)));
    assertThat(round.of(InputIgnored.class)).hasSize(3).allMatch(it -> !it.reason().isEmpty());
  }

  @Test
  void a_patch_changes_class_and_labels_and_refuses_a_class_the_queue_does_not_allow() {
    world.round(world.submit("big", gang(40)));
    JobId id = world.id("big");
    Round patched =
        world.round(
            new CommandInput.JobPatched(id, Optional.of("urgent"), Optional.of(Map.of("a", "b"))));
    assertThat(patched.only(PriorityChanged.class).priorityClass()).isEqualTo("urgent");
    assertThat(patched.only(LabelsChanged.class).labels()).containsEntry("a", "b");
    assertThat(world.job("big").order().priorityClass()).isEqualTo("urgent");
    assertThat(
            world
                .round(new CommandInput.JobPatched(id, Optional.of("urgent"), Optional.empty()))
                .of(PriorityChanged.class))
        .isEmpty();
    refused(
        world.round(new CommandInput.JobPatched(id, Optional.of("odd"), Optional.empty())),
        "PRIORITY_CLASS",
        "QUEUED");
  }

  @Test
  void KUE_20_a_policy_never_disturbs_what_runs() {
    trainRuns();
    Land changed = Land.usual().ladder(Land.pool()).version("other");
    world.round(new CommandInput.PolicyOffered(changed.policies())).job("train", "RUNNING");
    world.round(new CommandInput.PolicyOffered(changed.policies())).isQuiet();
    assertThat(world.attempt("train").placement().offering()).isEqualTo(CHEAP);
    world.round(agent.exited("train", 0)).job("train", "SUCCEEDED");
  }

  @Test
  void setting_what_is_set_already_is_no_event() {
    Input[][] pairs = {
      {
        new CommandInput.QueuePauseSet(Land.QUEUE, true),
        new CommandInput.QueuePauseSet(Land.QUEUE, false)
      },
      {new CommandInput.SystemPauseSet(true), new CommandInput.SystemPauseSet(false)},
      {
        new CommandInput.PoolCordonSet(Land.POOL, true),
        new CommandInput.PoolCordonSet(Land.POOL, false)
      },
      {
        new CommandInput.ClusterCordonSet(Land.OHIO, true),
        new CommandInput.ClusterCordonSet(Land.OHIO, false)
      },
    };
    for (Input[] pair : pairs) {
      world.round(pair[1]).isQuiet();
      assertThat(world.round(pair[0]).events()).hasSize(1);
      world.round(pair[0]).isQuiet();
      assertThat(world.round(pair[1]).events()).hasSize(1);
    }
    world.round(new CommandInput.ClusterRegistered(Land.OHIO)).isQuiet();
    world.round(new CommandInput.RecoveryEnded()).isQuiet();
  }

  @Test
  void an_operator_blocks_an_offering_for_a_time_and_lifts_it() {
    world.round(new CommandInput.OfferingBlockSet(CHEAP, Duration.ofHours(1), "audit"));
    assertThat(world.state().block(Land.key(CHEAP), world.now()).orElseThrow().reason())
        .isEqualTo("audit");
    world.round(world.submit("train", gang(1))).starts("train", DEAR);
    world.round(new CommandInput.OfferingBlockLifted(CHEAP));
    world.round(new CommandInput.OfferingBlockLifted(CHEAP)).isQuiet();
    world.round(world.submit("next", gang(1))).starts("next", CHEAP);
  }

  @Test
  void ending_states_carry_a_deadline_for_the_users_stop() {
    trainRuns();
    world.round(cancel("train"));
    AttemptState.Ending ending = (AttemptState.Ending) world.attempt("train").state();
    assertThat(ending.deadline()).isEqualTo(world.now().plusSeconds(120));
    assertThat(ending.reason()).isEqualTo(Reason.USER_CANCELLED);
  }
}
