package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.METAL;
import static io.spillway.scheduler.story.Land.OHIO;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent.AttemptReachable;
import io.spillway.scheduler.event.ClusterEvent.ClusterCutOff;
import io.spillway.scheduler.event.ClusterEvent.ClusterLost;
import io.spillway.scheduler.event.ClusterEvent.ClusterRestored;
import io.spillway.scheduler.event.ControlEvent.DriftFound;
import io.spillway.scheduler.event.ControlEvent.ListeningBegan;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.state.Memo.Link;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Agents that go silent, get lost and come back (semantics §15). */
class ClusterStoryTest {
  private World world = World.of(Land.usual());
  private Agent agent = world.agent();

  private void in(Land land) {
    world = World.of(land);
    agent = world.agent();
  }

  private void trainRuns() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.running("train", "i-1"));
  }

  private Input closed() {
    return new AgentInput.SessionClosed(OHIO, 1);
  }

  private Input opened(long generation) {
    return new AgentInput.SessionOpened(OHIO, generation, 1);
  }

  private Input gone(String... instances) {
    return new MarketInput.NoticeReceived(
        new CapacityNotice(
            "gone-" + instances[0],
            "aws",
            "prod",
            "here",
            CapacityNotice.Kind.LOSS,
            List.of(instances),
            Optional.empty(),
            world.now(),
            Optional.empty()));
  }

  @Test
  void SKY_13_KUE_13_a_reconnect_within_ninety_seconds_is_no_event_for_what_runs() {
    trainRuns();
    world.round(closed());
    world.wait(Duration.ofSeconds(89));
    Round back = world.round(opened(2));
    assertThat(back.of(ClusterRestored.class)).isEmpty();
    assertThat(world.attempt("train").unreachable()).isFalse();
    back.job("train", "RUNNING");
  }

  @Test
  void NOM_10_a_cut_off_cluster_gets_nothing_new_and_what_runs_there_runs_on() {
    trainRuns();
    world.round(closed());
    Round cut = world.wait(Duration.ofSeconds(90));
    assertThat(cut.of(ClusterCutOff.class)).hasSize(1);
    assertThat(cut.only(AttemptReachable.class).reachable()).isFalse();
    cut.job("train", "RUNNING");
    assertThat(world.attempt("train").unreachable()).isTrue();
    world.round(world.submit("next", gang(1))).starts("next", BARE);
    Round back = world.round(opened(2));
    assertThat(back.only(AttemptReachable.class).reachable()).isTrue();
    assertThat(world.attempt("train").unreachable()).isFalse();
    world.round(world.submit("third", gang(1))).starts("third", CHEAP);
  }

  @Test
  void words_of_an_older_session_change_nothing() {
    world.round(opened(3));
    world.round(opened(2)).isQuiet();
    world.round(opened(3)).isQuiet();
    world.round(new AgentInput.SessionClosed(OHIO, 2)).isQuiet();
    assertThat(world.state().cluster(OHIO).connected()).isTrue();
  }

  @Test
  void DST_07_a_lost_cluster_keeps_its_attempts_when_the_queue_says_wait() {
    trainRuns();
    world.round(closed());
    world.wait(Duration.ofMinutes(29));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.CUT_OFF);
    Round lost = world.wait(Duration.ofMinutes(1));
    assertThat(lost.only(ClusterLost.class).declared()).isFalse();
    lost.job("train", "RUNNING");
  }

  @Test
  void replace_needs_the_providers_word_that_every_instance_is_gone() {
    in(Land.usual().replacing());
    world.round(world.submit("train", gang(2)));
    world.round(agent.running("train", "i-1", "i-2"));
    world.round(closed());
    world.wait(Duration.ofMinutes(30)).job("train", "RUNNING");
    world
        .round(gone("i-1", "i-2"))
        .ended("train", 1, Outcome.INTERRUPTED, Reason.INSTANCE_LOST)
        .starts("train", BARE);
  }

  @Test
  void replace_takes_the_operators_word_and_fences_what_may_still_run() {
    in(Land.usual().replacing());
    trainRuns();
    world
        .round(new CommandInput.ClusterDeclaredLost(OHIO))
        .ended("train", 1, Outcome.FENCED, Reason.CLUSTER_DECLARED_LOST)
        .starts("train", BARE);
    world.round(new CommandInput.ClusterDeclaredLost(OHIO)).isQuiet();
  }

  @Test
  void NOM_03_a_fenced_attempt_that_is_found_running_on_return_is_stopped_and_not_adopted() {
    in(Land.usual().replacing());
    trainRuns();
    world.round(new CommandInput.ClusterDeclaredLost(OHIO)).starts("train", BARE);
    var old = world.attempt("train", 1);
    world
        .round(
            new AgentInput.SessionClosed(OHIO, 1),
            opened(2),
            agent.sweep(OHIO, Agent.present(old, AgentInput.Phase.RUNNING)))
        .startsNothing();
    assertThat(((AttemptState.Ended) world.attempt("train", 1).state()).settled()).isFalse();
    world.round(agent.absent(old)).job("train", "LAUNCHING");
    assertThat(((AttemptState.Ended) world.attempt("train", 1).state()).settled()).isTrue();
  }

  @Test
  void a_declared_loss_leaves_waiting_queues_attempts_alone() {
    trainRuns();
    world.round(new CommandInput.ClusterDeclaredLost(OHIO)).job("train", "RUNNING");
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.LOST);
  }

  @Test
  void ARM_01_time_in_which_no_leader_listened_counts_for_nobodys_silence() {
    trainRuns();
    world.round(closed());
    world.wait(Duration.ofSeconds(60));
    world.later(Duration.ofHours(5));
    Round first = world.restart().round();
    assertThat(first.of(ListeningBegan.class)).hasSize(1);
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.HEARD);
    world.wait(Duration.ofSeconds(89));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.HEARD);
    world.wait(Duration.ofSeconds(1));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.CUT_OFF);
    world.wait(Duration.ofMinutes(28));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.CUT_OFF);
    world.wait(Duration.ofSeconds(30));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.LOST);
  }

  @Test
  void a_leader_that_stood_still_or_whose_clock_jumped_begins_to_listen_anew() {
    world.wait(Duration.ofMinutes(2));
    assertThat(world.later(Duration.ofMinutes(10)).round().of(ListeningBegan.class)).hasSize(1);
    assertThat(world.later(Duration.ofMinutes(1)).round().of(ListeningBegan.class)).isEmpty();
  }

  @Test
  void when_no_agent_is_heard_none_is_lost_since_it_may_be_us() {
    world.round(closed(), new AgentInput.SessionClosed(METAL, 1));
    world.wait(Duration.ofHours(2));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.CUT_OFF);
    world.round(new AgentInput.SessionOpened(METAL, 2, 1));
    assertThat(world.state().cluster(OHIO).link()).isEqualTo(Link.LOST);
  }

  @Test
  void after_a_takeover_an_overdue_stop_waits_until_its_agent_could_be_heard() {
    trainRuns();
    world.round(world.command("train", JobVerb.REQUEUE));
    world.later(Duration.ofMinutes(20));
    world.restart().round().job("train", "DRAINING");
    world.wait(Duration.ofMinutes(5)).job("train", "DRAINING");
    world.round(opened(2));
    world.wait(Duration.ofSeconds(30)).job("train", "LAUNCHING");
  }

  @Test
  void a_start_that_is_overdue_in_a_cluster_without_a_stream_is_not_taken_back() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.starting("train"));
    world.round(closed());
    world.wait(Duration.ofMinutes(20)).job("train", "LAUNCHING").attempt("train", 1, "STARTING");
    assertThat(world.plan().nextWake())
        .hasValueSatisfying(wake -> assertThat(wake).isAfter(world.now()));
  }

  @Test
  void the_audit_runs_every_minute_and_finds_nothing() {
    trainRuns();
    Round audited = world.wait(Duration.ofSeconds(60));
    assertThat(audited.only(DriftFound.class).differences()).isZero();
    assertThat(world.later(Duration.ofSeconds(59)).round().of(DriftFound.class)).isEmpty();
    assertThat(world.later(Duration.ofSeconds(1)).round().of(DriftFound.class)).hasSize(1);
  }

  @Test
  void the_plan_says_when_time_alone_will_change_something() {
    world.wait(Duration.ofSeconds(60));
    assertThat(world.plan().nextWake()).contains(world.now().plusSeconds(60));
    world.round(closed());
    world.later(Duration.ofSeconds(35)).round();
    assertThat(world.plan().nextWake()).contains(world.now().plusSeconds(25));
    world.later(Duration.ofSeconds(25)).round();
    assertThat(world.plan().nextWake()).contains(world.now().plusSeconds(30));
  }
}
