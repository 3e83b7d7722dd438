package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent.AttemptEnded;
import io.spillway.scheduler.event.MarketEvent.NoticeTaken;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Notices, losses and what follows: drain, hold, replace (semantics §5, §6). */
class InterruptionStoryTest {
  private final World world = World.of(Land.usual());
  private final Agent agent = world.agent();

  private MarketInput.NoticeReceived notice(
      String id, Kind kind, Optional<Instant> deadline, String... instances) {
    return new MarketInput.NoticeReceived(
        new CapacityNotice(
            id,
            "aws",
            "prod",
            "here",
            kind,
            List.of(instances),
            Optional.empty(),
            world.now(),
            deadline));
  }

  private MarketInput.NoticeReceived interruption(String id, long seconds, String... instances) {
    Optional<Instant> deadline = Optional.of(world.now().plusSeconds(seconds));
    return notice(id, Kind.INTERRUPTION, deadline, instances);
  }

  private void trainRunsOnCheapSpot() {
    world.round(world.submit("train", gang(2))).starts("train", CHEAP);
    world.wait(Duration.ofMinutes(5));
    world.round(agent.running("train", "i-1", "i-2"));
  }

  private Instant endingDeadline(String name, int number) {
    return ((AttemptState.Ending) world.attempt(name, number).state()).deadline();
  }

  @Test
  void a_notice_drains_the_whole_gang_holds_the_next_and_starts_it_when_the_old_one_ended() {
    trainRunsOnCheapSpot();
    Round noticed =
        world.round(interruption("n1", 120, "i-2")).job("train", "DRAINING", Reason.INTERRUPTED);
    noticed.holds("train", DEAR).startsNothing();
    assertThat(endingDeadline("train", 1)).isEqualTo(world.now().plusSeconds(110));
    assertThat(world.job("train").standing().totalInterruptions()).isEqualTo(1);

    world.round(agent.held("train", "i-8", "i-9")).startsNothing();
    Attempt old = world.attempt("train", 1);
    world
        .later(Duration.ofSeconds(30))
        .round(agent.ended(old, Cause.STOPPED, 143, 143))
        .starts("train", DEAR)
        .job("train", "LAUNCHING")
        .ended("train", 1, Outcome.INTERRUPTED, Reason.INTERRUPTED);
    assertThat(world.job("train").submittedAt()).isEqualTo(World.START);
  }

  @Test
  void a_gang_that_ends_well_while_draining_has_succeeded_and_its_hold_is_dropped() {
    trainRunsOnCheapSpot();
    world.round(interruption("n1", 120, "i-1")).holds("train", DEAR);
    world
        .round(agent.ended(world.attempt("train", 1), Cause.EXITED, 0, 0))
        .job("train", "SUCCEEDED")
        .ended("train", 2, Outcome.DROPPED, Reason.PREDECESSOR_SUCCEEDED);
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void an_exit_code_of_zero_after_our_stop_is_not_taken_for_success() {
    trainRunsOnCheapSpot();
    world.round(interruption("n1", 120, "i-1"));
    world
        .round(agent.ended(world.attempt("train", 1), Cause.STOPPED, 0, 0))
        .job("train", "LAUNCHING")
        .ended("train", 1, Outcome.INTERRUPTED, Reason.INTERRUPTED);
  }

  @Test
  void KUE_21_a_notice_told_twice_or_by_two_sources_drains_once() {
    trainRunsOnCheapSpot();
    world.round(interruption("n1", 120, "i-1"));
    world.round(interruption("n1", 120, "i-1")).isQuiet();
    Round other = world.round(interruption("n2", 300, "i-2"));
    assertThat(endingDeadline("train", 1)).isEqualTo(World.START.plusSeconds(300 + 110));
    assertThat(other.only(NoticeTaken.class).matched()).isEqualTo(1);
    assertThat(world.job("train").standing().totalInterruptions()).isEqualTo(1);
    assertThat(world.job("train").attempts()).isEqualTo(2);
  }

  @Test
  void a_later_notice_only_brings_the_deadline_forward() {
    trainRunsOnCheapSpot();
    world.round(interruption("n1", 120, "i-1"));
    world.round(interruption("n2", 60, "i-1"));
    assertThat(endingDeadline("train", 1)).isEqualTo(world.now().plusSeconds(50));
  }

  @Test
  void maintenance_next_week_drains_within_the_grace() {
    trainRunsOnCheapSpot();
    Optional<Instant> nextWeek = Optional.of(world.now().plus(Duration.ofDays(7)));
    world
        .round(notice("m", Kind.MAINTENANCE, nextWeek, "i-1"))
        .job("train", "DRAINING", Reason.MAINTENANCE);
    assertThat(endingDeadline("train", 1)).isEqualTo(world.now().plusSeconds(120));
  }

  @Test
  void SKY_02_a_loss_without_notice_is_a_counted_interruption_and_waits_for_the_last_word() {
    trainRunsOnCheapSpot();
    world
        .round(notice("l", Kind.LOSS, Optional.empty(), "i-1", "i-2"))
        .job("train", "DRAINING", Reason.INSTANCE_LOST)
        .holds("train", DEAR);
    assertThat(endingDeadline("train", 1)).isEqualTo(world.now().plusSeconds(30));
    assertThat(world.job("train").standing().totalInterruptions()).isEqualTo(1);
    world.later(Duration.ofSeconds(29)).round().startsNothing();
    world
        .later(Duration.ofSeconds(1))
        .round()
        .starts("train", DEAR)
        .ended("train", 1, Outcome.INTERRUPTED, Reason.INSTANCE_LOST);
  }

  @Test
  void DST_03_the_providers_word_beats_a_silent_agent() {
    trainRunsOnCheapSpot();
    world.round(new AgentInput.SessionClosed(Land.OHIO, 1));
    Round lost = world.round(notice("l", Kind.LOSS, Optional.empty(), "i-1", "i-2"));
    lost.ended("train", 1, Outcome.INTERRUPTED, Reason.INSTANCE_LOST);
  }

  @Test
  void a_gang_of_which_only_one_instance_is_gone_is_fenced_and_its_stop_stays_owed() {
    trainRunsOnCheapSpot();
    world.round(notice("l", Kind.LOSS, Optional.empty(), "i-1"));
    world
        .later(Duration.ofSeconds(30))
        .round()
        .starts("train", DEAR)
        .ended("train", 1, Outcome.FENCED, Reason.DRAIN_DEADLINE_PASSED);
    assertThat(((AttemptState.Ended) world.attempt("train", 1).state()).settled()).isFalse();
    assertThat(world.state().usage().members(CHEAP)).containsEntry(8, 2);
    world.round(agent.absent(world.attempt("train", 1)));
    assertThat(((AttemptState.Ended) world.attempt("train", 1).state()).settled()).isTrue();
    assertThat(world.state().usage().members(CHEAP)).isEmpty();
  }

  @Test
  void a_fenced_attempt_that_succeeded_after_all_ends_the_job_and_supersedes_the_next() {
    trainRunsOnCheapSpot();
    world.round(notice("l", Kind.LOSS, Optional.empty(), "i-1"));
    world.later(Duration.ofSeconds(30)).round().starts("train", DEAR);
    world
        .round(agent.ended(world.attempt("train", 1), Cause.EXITED, 0, 0))
        .job("train", "SUCCEEDED")
        .ended("train", 1, Outcome.SUCCEEDED, Reason.LATE_SUCCESS)
        .attempt("train", 2, "ENDING");
    Attempt later = world.attempt("train", 2);
    world.round(agent.absent(later)).ended("train", 2, Outcome.STOPPED, Reason.SUPERSEDED);
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void NOM_05_a_job_that_ended_stays_ended_whatever_comes_later() {
    trainRunsOnCheapSpot();
    Attempt attempt = world.attempt("train", 1);
    world.round(agent.exited("train", 0, 0)).job("train", "SUCCEEDED");
    world.round(
        agent.ended(attempt, Cause.NODE_LOST),
        notice("l", Kind.LOSS, Optional.empty(), "i-1"),
        agent.report(attempt, AgentInput.Phase.RUNNING, List.of("i-1"), Optional.empty()));
    assertThat(world.state().jobs()).isEmpty();
    assertThat(world.state().attempts()).isEmpty();
  }

  @Test
  void a_notice_of_an_unknown_instance_waits_fifteen_minutes_for_it_to_appear() {
    world.round(world.submit("train", gang(1)));
    assertThat(world.round(interruption("n", 600, "i-1")).only(NoticeTaken.class).matched())
        .isZero();
    world
        .later(Duration.ofMinutes(9))
        .round(agent.running("train", "i-1"))
        .job("train", "DRAINING", Reason.INTERRUPTED);
    assertThat(endingDeadline("train", 1)).isEqualTo(World.START.plusSeconds(590));
  }

  @Test
  void a_machine_that_lives_after_its_notice_s_deadline_is_not_taken_for_gone() {
    world.round(interruption("n", 60, "i-1"));
    world.later(Duration.ofSeconds(60)).round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1")).job("train", "RUNNING");
  }

  @Test
  void a_loss_before_the_launch_says_nothing_of_the_machine_that_came_back_under_its_name() {
    world.round(notice("l", Kind.LOSS, Optional.empty(), "i-1"));
    world.later(Duration.ofMinutes(5)).round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1")).job("train", "RUNNING");
    world.round(world.command("train", CommandInput.JobVerb.CANCEL));
    world
        .wait(Duration.ofMinutes(2))
        .ended("train", 1, Outcome.FENCED, Reason.STOP_DEADLINE_PASSED);
  }

  @Test
  void KAR_16_a_notice_of_nobodys_instance_is_forgotten_after_its_wait() {
    world.round(interruption("n", 600, "i-77"));
    world.wait(Duration.ofSeconds(15 * 60 - 1));
    assertThat(world.state().notice("n")).isPresent();
    world.later(Duration.ofSeconds(1)).round();
    assertThat(world.state().notice("n")).isEmpty();
  }

  @Test
  void KAR_10_a_notice_touches_only_its_own_provider_account_and_region() {
    trainRunsOnCheapSpot();
    for (String[] other :
        new String[][] {
          {"oci", "prod", "here"}, {"aws", "test", "here"}, {"aws", "prod", "there"}
        }) {
      world.round(
          new MarketInput.NoticeReceived(
              new CapacityNotice(
                  other[0] + other[1] + other[2],
                  other[0],
                  other[1],
                  other[2],
                  Kind.INTERRUPTION,
                  List.of("i-1"),
                  Optional.empty(),
                  world.now(),
                  Optional.empty())));
      assertThat(world.job("train").state().label()).isEqualTo("RUNNING");
    }
  }

  @Test
  void a_risk_drains_nothing_and_keeps_new_placements_away() {
    trainRunsOnCheapSpot();
    world.round(notice("r", Kind.RISK, Optional.empty(), "i-1")).job("train", "RUNNING");
    world.round(world.submit("next", gang(1))).starts("next", DEAR);
    assertThat(world.state().block(Land.key(CHEAP), world.now()).orElseThrow().until())
        .isEqualTo(world.now().plus(Duration.ofMinutes(10)));
  }

  @Test
  void a_notice_that_names_the_offering_alone_drains_what_is_on_it() {
    trainRunsOnCheapSpot();
    world.round(
        new MarketInput.NoticeReceived(
            new CapacityNotice(
                "o",
                "aws",
                "prod",
                "here",
                Kind.INTERRUPTION,
                List.of(),
                Optional.of(Land.key(CHEAP)),
                world.now(),
                Optional.empty())));
    assertThat(world.job("train").state().label()).isEqualTo("DRAINING");
  }

  @Test
  void SKY_01_the_offering_that_interrupted_a_job_is_not_tried_again_for_the_block_time() {
    trainRunsOnCheapSpot();
    world.round(interruption("n1", 120, "i-1")).holds("train", DEAR);
    world.round(agent.absent(world.attempt("train", 1))).starts("train", DEAR);
    assertThat(world.job("train").standing().excluded()).hasSize(1);
    assertThat(world.job("train").standing().excluded().getFirst().offering()).isEqualTo(CHEAP);
  }

  @Test
  void a_notice_for_the_held_nodes_drops_the_hold_and_another_is_found() {
    trainRunsOnCheapSpot();
    world.round(interruption("n1", 120, "i-1")).holds("train", DEAR);
    world.round(agent.held("train", "i-8", "i-9"));
    world.round(interruption("n2", 120, "i-9")).holds("train", BARE);
    world.round().ended("train", 2, Outcome.DROPPED, Reason.INTERRUPTED);
    assertThat(world.job("train").attempts()).isEqualTo(3);
  }

  @Test
  void work_since_the_last_checkpoint_is_what_an_interruption_loses() {
    trainRunsOnCheapSpot();
    world.wait(Duration.ofMinutes(25));
    world.round(interruption("n1", 120, "i-1"));
    AttemptEnded ended =
        world.round(agent.absent(world.attempt("train", 1))).only(AttemptEnded.class);
    assertThat(ended.lostWork()).isEqualTo(Duration.ofMinutes(5));
    assertThat(world.job("train").ran()).isEqualTo(Duration.ofMinutes(25));
  }

  @Test
  void SKY_04_a_node_that_is_gone_interrupts_the_whole_gang() {
    world.round(
        new AgentInput.NodesReported(
            Land.OHIO, true, List.of(Land.node("i-1", CHEAP), Land.node("i-2", CHEAP)), List.of()));
    trainRunsOnCheapSpot();
    world
        .round(new AgentInput.NodesReported(Land.OHIO, false, List.of(), List.of("node-i-2")))
        .job("train", "DRAINING", Reason.NODE_LOST)
        .holds("train", DEAR);
    assertThat(world.job("train").standing().totalInterruptions()).isEqualTo(1);
  }

  @Test
  void TIT_05_a_node_that_is_not_ready_or_told_of_again_interrupts_nothing() {
    AgentInput.ReportedNode node = Land.node("i-1", CHEAP);
    world.round(new AgentInput.NodesReported(Land.OHIO, true, List.of(node), List.of()));
    trainRunsOnCheapSpot();
    AgentInput.ReportedNode sick =
        new AgentInput.ReportedNode(
            node.name(),
            node.providerId(),
            node.zone(),
            node.instanceType(),
            node.capacityType(),
            node.shape(),
            node.fabric(),
            false,
            List.of());
    world.round(new AgentInput.NodesReported(Land.OHIO, true, List.of(sick), List.of()));
    world.round().job("train", "RUNNING");
  }
}
