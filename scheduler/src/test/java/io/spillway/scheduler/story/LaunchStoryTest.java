package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.MarketEvent.BlockPlaced;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.policy.QueuePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From start to run: refusals, deadlines, budgets of failures. */
class LaunchStoryTest {
  private static final Duration BLOCK = Duration.ofMinutes(10);

  private World world = World.of(Land.usual());
  private Agent agent = world.agent();

  private void in(Land land) {
    world = World.of(land);
    agent = world.agent();
  }

  private MarketInput failure(Instant at) {
    return new MarketInput.FailureObserved(
        new CapacityFailure(
            FailureClass.NO_CAPACITY, BlockScope.of(Land.key(CHEAP)), BLOCK, "full", at));
  }

  @Test
  void a_job_goes_from_submit_to_success_with_each_word_of_the_agent() {
    world.round(world.submit("train", gang(2))).starts("train", CHEAP).job("train", "LAUNCHING");
    world.round(agent.starting("train")).attempt("train", 1, "STARTING").job("train", "LAUNCHING");
    world.round(agent.running("train", "i-1", "i-2")).job("train", "RUNNING");
    world
        .later(Duration.ofMinutes(90))
        .round(agent.exited("train", 0, 0))
        .job("train", "SUCCEEDED")
        .ended("train", 1, Outcome.SUCCEEDED, Reason.EXITED_ZERO);
    assertThat(world.job("train").ran()).isEqualTo(Duration.ofMinutes(90));
    assertThat(world.state().jobs()).isEmpty();
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void KAR_09_a_submit_that_is_taken_twice_is_one_job_with_one_launch() {
    world.round(world.submit("train", gang(1)), world.submit("train", gang(1)));
    world.round(world.submit("train", gang(1))).startsNothing();
    assertThat(world.job("train").attempts()).isEqualTo(1);
  }

  @Test
  void SKY_12_a_launch_without_a_word_is_unknown_and_is_adopted_when_it_shows_itself() {
    world.round(world.submit("train", gang(1)));
    world.wait(Duration.ofMinutes(15)).attempt("train", 1, "UNKNOWN").startsNothing();
    world.wait(Duration.ofHours(3)).attempt("train", 1, "UNKNOWN").job("train", "LAUNCHING");
    world.round(agent.running("train", "i-1")).job("train", "RUNNING");
    assertThat(world.job("train").attempts()).isEqualTo(1);
  }

  @Test
  void an_unknown_launch_that_is_acknowledged_late_gets_its_time_to_run_anew() {
    world.round(world.submit("train", gang(1)));
    world.wait(Duration.ofMinutes(15));
    world.round(agent.starting("train")).attempt("train", 1, "STARTING");
    AttemptState.Starting starting = (AttemptState.Starting) world.attempt("train").state();
    assertThat(starting.deadline()).isEqualTo(world.now().plus(Duration.ofMinutes(15)));
  }

  @Test
  void SKY_09_a_start_that_runs_nothing_by_its_deadline_is_taken_back_as_a_refusal() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.starting("train"));
    world
        .wait(Duration.ofMinutes(15))
        .job("train", "DRAINING", Reason.LAUNCH_DEADLINE_PASSED)
        .holds("train", DEAR);
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isPresent();
    world
        .round(agent.absent(world.attempt("train", 1)))
        .ended("train", 1, Outcome.REFUSED, Reason.LAUNCH_DEADLINE_PASSED)
        .starts("train", DEAR);
  }

  @Test
  void KUE_08_a_refused_launch_is_placed_elsewhere_within_one_decision() {
    world.round(world.submit("train", gang(1)));
    world
        .round(agent.refused("train", BLOCK))
        .job("train", "DRAINING", Reason.CAPACITY_REFUSED)
        .holds("train", DEAR);
    world
        .round(agent.ended(world.attempt("train", 1), Cause.STOPPED))
        .ended("train", 1, Outcome.REFUSED, Reason.CAPACITY_REFUSED)
        .starts("train", DEAR);
    assertThat(world.job("train").standing().refusals()).isEqualTo(1);
    assertThat(world.job("train").standing().infrastructureFailures()).isZero();
  }

  @Test
  void KUE_09_refusals_do_not_restart_the_time_that_the_job_waited() {
    in(Land.usual().ladder(Land.spot(Optional.of(Land.waited(Duration.ofMinutes(40))))));
    world.round(world.submit("train", gang(1)));
    Instant since = World.START;
    world.later(Duration.ofMinutes(1)).round(agent.refused("train", BLOCK));
    world.round(agent.absent(world.attempt("train", 1))).starts("train", DEAR);
    assertThat(((JobState.Launching) world.job("train").state()).waitingSince()).isEqualTo(since);
    world.later(Duration.ofMinutes(1)).round(agent.refused("train", BLOCK));
    world.round(agent.absent(world.attempt("train", 2))).job("train", "QUEUED");
    assertThat(((JobState.Queued) world.job("train").state()).since()).isEqualTo(since);
  }

  @Test
  void refusals_on_a_rung_make_the_next_rung_the_first_for_life() {
    in(Land.usual().ladder(Land.spot(Optional.of(Land.refusals(2))), Land.pool()));
    world.round(world.submit("train", gang(1)));
    world.round(agent.refused("train", BLOCK)).holds("train", DEAR);
    world.round(agent.absent(world.attempt("train", 1)));
    assertThat(world.job("train").standing().firstRung()).isZero();
    world.round(agent.refused("train", BLOCK)).holds("train", BARE);
    assertThat(world.job("train").standing().firstRung()).isEqualTo(1);
    assertThat(world.job("train").standing().refusals()).isZero();
  }

  @Test
  void interruptions_on_a_rung_make_the_next_rung_the_first_for_life() {
    in(Land.usual().ladder(Land.spot(Optional.of(Land.interruptions(1))), Land.pool()));
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1"));
    Attempt first = world.attempt("train");
    world
        .round(agent.ended(first, Cause.DISRUPTED, 137))
        .ended("train", 1, Outcome.INTERRUPTED, Reason.INTERRUPTED)
        .starts("train", BARE);
    assertThat(world.job("train").standing().firstRung()).isEqualTo(1);
    assertThat(world.job("train").standing().totalInterruptions()).isEqualTo(1);
  }

  @Test
  void DST_16_a_job_that_fails_is_retried_with_growing_pauses_up_to_its_budget() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1"));
    world.round(agent.exited("train", 1)).job("train", "QUEUED", Reason.EXITED_NONZERO);
    world.later(Duration.ofSeconds(59)).round().startsNothing();
    world.later(Duration.ofSeconds(1)).round().job("train", "LAUNCHING");
    world.round(agent.exited("train", 2)).job("train", "QUEUED").startsNothing();
    world.later(Duration.ofSeconds(119)).round().startsNothing();
    world.later(Duration.ofSeconds(1)).round().job("train", "LAUNCHING");
    world.round(agent.exited("train", 3)).job("train", "FAILED", Reason.USER_FAILURES_SPENT);
    assertThat(world.state().jobs()).isEmpty();
  }

  @Test
  void ARM_08_COO_06_interruptions_and_broken_nodes_leave_the_users_budget_alone() {
    in(Land.usual().retry(new QueuePolicy.Retry(0, 3, Duration.ZERO)));
    world.round(world.submit("train", gang(1)));
    for (int i = 0; i < 6; i++) {
      world.round(agent.running("train", "i-" + i));
      world.round(agent.ended(world.attempt("train"), Cause.DISRUPTED, 1));
      world.wait(Duration.ofMinutes(11));
      world.round(world.prices());
    }
    assertThat(world.job("train").standing().userFailures()).isZero();
    assertThat(world.job("train").standing().totalInterruptions()).isEqualTo(6);
    for (int i = 0; i < 3; i++) {
      world.round(agent.ended(world.attempt("train"), Cause.DELETED)).job("train", "LAUNCHING");
    }
    world
        .round(agent.ended(world.attempt("train"), Cause.DELETED))
        .job("train", "FAILED", Reason.INFRASTRUCTURE_FAILURES_SPENT);
  }

  @Test
  void a_drained_job_whose_infrastructure_budget_is_spent_fails_and_drops_its_hold() {
    in(Land.usual().ladder(Land.pool()).retry(new QueuePolicy.Retry(0, 0, Duration.ZERO)));
    world.round(world.submit("train", gang(1))).starts("train", BARE);
    world.round(agent.running("train", "m-1"));
    world
        .round(new AgentInput.NodesReported(Land.METAL, false, List.of(), List.of("node-m-1")))
        .job("train", "DRAINING", Reason.NODE_LOST);
    world
        .round(agent.absent(world.attempt("train", 1)))
        .job("train", "FAILED", Reason.INFRASTRUCTURE_FAILURES_SPENT);
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void a_provider_failure_blocks_from_its_own_time_and_doubles_when_it_comes_again() {
    Instant at = world.now();
    world.round(failure(at.minus(Duration.ofMinutes(4))));
    assertThat(world.state().block(Land.key(CHEAP), at).orElseThrow().until())
        .isEqualTo(at.plus(Duration.ofMinutes(6)));
    world.wait(Duration.ofMinutes(7));
    BlockPlaced again = world.round(failure(world.now())).only(BlockPlaced.class);
    assertThat(again.repeats()).isEqualTo(1);
    assertThat(again.until()).isEqualTo(world.now().plus(Duration.ofMinutes(20)));
    for (int minutes : new int[] {21, 41, 61}) {
      world.wait(Duration.ofMinutes(minutes));
      again = world.round(failure(world.now())).only(BlockPlaced.class);
    }
    assertThat(again.until()).isEqualTo(world.now().plus(Duration.ofMinutes(60)));
  }

  /** By class, and where a provider's stock moves faster than others'. */
  @Test
  void what_heals_by_itself_is_asked_about_again_soon_however_often_it_repeats() {
    assertThat(grown(FailureClass.THROTTLED, Optional.empty())).isEqualTo(Duration.ofMinutes(1));
    assertThat(grown(FailureClass.TRANSIENT, Optional.empty())).isEqualTo(Duration.ofMinutes(5));
    assertThat(grown(FailureClass.NO_CAPACITY, Optional.empty())).isEqualTo(Duration.ofMinutes(60));
    assertThat(grown(FailureClass.NO_CAPACITY, Optional.of(Duration.ofMinutes(15))))
        .isEqualTo(Duration.ofMinutes(15));
  }

  /** The block after sixteen failures, each just after the block before. */
  private Duration grown(FailureClass type, Optional<Duration> longest) {
    in(Land.usual());
    Duration block = Duration.ofSeconds(5);
    for (int i = 0; i < 16; i++) {
      CapacityFailure failure =
          new CapacityFailure(
              type,
              BlockScope.of(Land.key(CHEAP)),
              Duration.ofSeconds(5),
              "made up",
              world.now(),
              longest);
      BlockPlaced placed =
          world.round(new MarketInput.FailureObserved(failure)).only(BlockPlaced.class);
      block = Duration.between(world.now(), placed.until());
      world.wait(block.plusSeconds(1));
    }
    return block;
  }

  @Test
  void failures_while_a_block_is_in_force_extend_it_but_do_not_double_it() {
    world.round(failure(world.now()));
    world.wait(Duration.ofMinutes(5));
    BlockPlaced again = world.round(failure(world.now())).only(BlockPlaced.class);
    assertThat(again.repeats()).isZero();
    assertThat(again.until()).isEqualTo(world.now().plus(BLOCK));
  }

  @Test
  void a_block_is_forgotten_after_twice_its_time() {
    world.round(failure(world.now()));
    world.wait(Duration.ofMinutes(20));
    assertThat(world.state().blockOf(BlockScope.of(Land.key(CHEAP)))).isEmpty();
    assertThat(world.round(failure(world.now())).only(BlockPlaced.class).repeats()).isZero();
  }

  @Test
  void a_late_failure_event_never_overrides_a_later_success() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    Instant before = world.now();
    world.later(Duration.ofMinutes(1)).round(agent.running("train", "i-1"));
    world.later(Duration.ofMinutes(1)).round(failure(before));
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isEmpty();
    assertThat(world.state().launchBudget(CHEAP).limit()).isEqualTo(2);
    world.round(failure(world.now()));
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isPresent();
    assertThat(world.state().launchBudget(CHEAP).limit()).isEqualTo(1);
  }

  @Test
  void a_launch_that_comes_to_run_clears_the_block_of_its_offering() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(failure(world.now()));
    world.later(Duration.ofMinutes(1)).round(agent.running("train", "i-1"));
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isEmpty();
  }

  @Test
  void ARM_04_reports_are_ordered_by_their_numbers_whatever_order_they_come_in() {
    world.round(world.submit("train", gang(1)));
    Attempt attempt = world.attempt("train");
    var absent = agent.report(attempt, Phase.ABSENT, List.of(), Optional.empty());
    var starting = agent.report(attempt, Phase.STARTING, List.of(), Optional.empty());
    var running = agent.report(attempt, Phase.RUNNING, List.of("i-1"), Optional.empty());
    world.round(running, starting, absent).job("train", "RUNNING");
    world.round(running).isQuiet();
  }

  @Test
  void a_queue_ttl_fails_a_job_that_never_ran_and_only_such_a_job() {
    Optional<Duration> ttl = Optional.of(Duration.ofHours(1));
    world.round(world.submit("big", Land.limited(gang(40), Optional.empty(), ttl)));
    world.wait(Duration.ofMinutes(59)).job("big", "QUEUED");
    world.wait(Duration.ofMinutes(1)).job("big", "FAILED", Reason.QUEUE_TTL_EXPIRED);
  }

  @Test
  void a_back_off_that_ends_as_the_queue_ttl_does_leaves_the_job_failed() {
    Optional<Duration> ttl = Optional.of(Duration.ofMinutes(1));
    world.round(world.submit("train", Land.limited(gang(1), Optional.empty(), ttl)));
    world.round(agent.running("train", "i-1"));
    world.round(agent.exited("train", 1)).job("train", "QUEUED", Reason.EXITED_NONZERO);
    world.later(Duration.ofMinutes(1)).round().job("train", "FAILED", Reason.QUEUE_TTL_EXPIRED);
  }

  @Test
  void a_timeout_counts_running_time_over_all_attempts() {
    Optional<Duration> timeout = Optional.of(Duration.ofMinutes(30));
    world.round(world.submit("train", Land.limited(gang(1), timeout, Optional.empty())));
    world.round(agent.running("train", "i-1"));
    world.wait(Duration.ofMinutes(20));
    world.round(agent.ended(world.attempt("train"), Cause.DISRUPTED));
    world.round(agent.running("train", "i-2"));
    world.wait(Duration.ofMinutes(9)).job("train", "RUNNING");
    world.wait(Duration.ofMinutes(1)).job("train", "CANCELLING", Reason.TIMEOUT_REACHED);
    world
        .round(agent.ended(world.attempt("train"), Cause.STOPPED, 143))
        .job("train", "FAILED", Reason.TIMEOUT_REACHED)
        .ended("train", 2, Outcome.STOPPED, Reason.TIMEOUT_REACHED);
  }
}
