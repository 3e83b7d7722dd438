package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.METAL;
import static io.spillway.scheduler.story.Land.OHIO;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent.NoticeTaken;
import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput.NoticeReceived;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.policy.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One case each: what surprised the users of other schedulers. */
class OtherCasesStoryTest {
  private World world = World.of(Land.usual());
  private Agent agent = world.agent();

  private void in(Land land) {
    world = World.of(land);
    agent = world.agent();
  }

  private Input interruption(String... instances) {
    return new NoticeReceived(
        new CapacityNotice(
            "n-" + String.join("-", instances),
            "aws",
            "prod",
            "here",
            CapacityNotice.Kind.INTERRUPTION,
            List.of(instances),
            Optional.empty(),
            world.now(),
            Optional.of(world.now().plusSeconds(120))));
  }

  @Test
  void DST_08_nothing_new_joins_capacity_that_is_being_taken_out() {
    in(Land.usual().ladder(Land.pool()));
    world.round(new CommandInput.PoolCordonSet(Land.POOL, true));
    world.round(world.submit("train", gang(1))).startsNothing();
    world.round(new CommandInput.PoolCordonSet(Land.POOL, false)).starts("train", BARE);
  }

  @Test
  void the_end_of_a_reservation_is_meant_for_all_that_runs_on_it_whatever_else_is_not_told() {
    in(Land.usual().ladder(Land.pool()));
    world.round(world.submit("train", gang(1))).starts("train", BARE);
    world.round(agent.running("train", "m-1"));

    assertThat(world.round(reservationEnds("n1", "cr-2")).only(NoticeTaken.class).matched())
        .isZero();
    world.round(reservationEnds("n2", "cr-1")).job("train", "DRAINING", Reason.INTERRUPTED);
  }

  private Input reservationEnds(String id, String reservation) {
    return new NoticeReceived(
        new CapacityNotice(
            id,
            "oci",
            "prod",
            "here",
            CapacityNotice.Kind.INTERRUPTION,
            List.of(),
            Optional.of(
                new MarketKey(
                    "oci",
                    "prod",
                    "here",
                    "here",
                    "",
                    CapacityType.RESERVED,
                    Optional.of(reservation))),
            world.now(),
            Optional.of(world.now().plusSeconds(600))));
  }

  @Test
  void NOM_06_what_is_past_its_deadline_is_found_after_any_pause_of_the_leader() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.starting("train"));
    world.later(Duration.ofHours(2)).round(world.prices());
    world.round(agent.sweep(OHIO, Agent.present(world.attempt("train"), Phase.STARTING)));
    world.wait(Duration.ofMinutes(2));
    assertThat(world.job("train").state().label()).as("moved on").isEqualTo("DRAINING");
  }

  @Test
  void ARM_09_only_what_is_due_is_looked_at_however_many_deadlines_there_are() {
    in(Land.usual().ladder(Land.pool()));
    List<Input> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Duration ttl = Duration.ofMinutes(i == 0 ? 1 : 600);
      many.add(world.submit("job-" + i, Land.limited(gang(8), Optional.empty(), Optional.of(ttl))));
    }
    world.round(many);
    Round expired = world.later(Duration.ofMinutes(1)).round();
    assertThat(expired.only(JobEvent.JobFailed.class).job()).isEqualTo(world.id("job-0"));
    assertThat(expired.events()).hasSizeLessThan(6);
  }

  @Test
  void DST_10_a_finished_gang_is_not_started_again_whatever_is_said_of_it() {
    world.round(world.submit("train", gang(2)));
    world.round(agent.running("train", "i-1", "i-2"));
    world.round(agent.exited("train", 0, 0)).job("train", "SUCCEEDED");
    world.round(agent.running("train", "i-1", "i-2")).startsNothing();
    world.round(agent.exited("train", 1, 1)).startsNothing();
    assertThat(world.job("train").attempts()).isEqualTo(1);
    assertThat(world.job("train").state().label()).isEqualTo("SUCCEEDED");
  }

  @Test
  void DST_13_a_launch_that_the_provider_refused_ends_now_and_not_at_its_deadline() {
    world.round(world.submit("train", gang(1)));
    world
        .later(Duration.ofSeconds(5))
        .round(agent.refused("train", Duration.ofMinutes(5)))
        .job("train", "DRAINING", Reason.CAPACITY_REFUSED)
        .holds("train", DEAR);
  }

  @Test
  void FEN_03_an_agents_silence_alone_starts_no_replacement() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1"));
    world.round(new AgentInput.SessionClosed(OHIO, 1));
    world.wait(Duration.ofHours(3)).job("train", "RUNNING");
    assertThat(world.job("train").attempts()).isEqualTo(1);
  }

  @Test
  void KAI_07_a_hold_that_is_refused_gives_back_all_that_it_took() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.running("train", "i-1"));
    world.round(interruption("i-1")).holds("train", DEAR);
    assertThat(world.state().usage().members(DEAR)).isNotEmpty();
    world.round(agent.gate("train", "image is not allowed"));
    assertThat(world.state().usage().members(DEAR)).isEmpty();
  }

  @Test
  void KAI_08_no_capacity_is_asked_for_that_no_waiting_job_needs() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    for (int i = 0; i < 5; i++) {
      world.later(Duration.ofSeconds(10)).round(world.prices()).startsNothing();
    }
    assertThat(world.state().attempts()).hasSize(1);
  }

  @Test
  void KUE_19_what_was_refused_once_is_tried_again_when_its_block_runs_out() {
    in(Land.usual().ladder(Land.spot(Optional.empty())));
    world.round(new CommandInput.OfferingBlockSet(DEAR, Duration.ofDays(1), "test"));
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.refused("train", Duration.ofMinutes(5)));
    world.round(agent.absent(world.attempt("train", 1))).startsNothing();
    world.wait(Duration.ofMinutes(4)).startsNothing();
    world.round(world.prices());
    world.wait(Duration.ofMinutes(2));
    assertThat(world.job("train").attempts()).isEqualTo(2);
  }

  @Test
  void NOM_02_however_many_runs_a_lost_cluster_takes_with_it_all_are_queued_again() {
    List<Input> submits = new ArrayList<>();
    List<Input> running = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      submits.add(world.submit("job-" + i, gang(1)));
    }
    world.round(submits);
    for (int rounds = 0; rounds < 8; rounds++) {
      running.clear();
      for (int i = 0; i < 24; i++) {
        if (world.job("job-" + i).state().label().equals("LAUNCHING")) {
          running.add(agent.running("job-" + i, "i-" + i));
        }
      }
      world.round(running);
    }
    List<Input> losses = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      losses.add(interruption("i-" + i));
    }
    world.round(losses);
    for (int i = 0; i < 24; i++) {
      assertThat(world.job("job-" + i).state().label())
          .as("job-%d", i)
          .isIn("DRAINING", "RUNNING", "LAUNCHING", "QUEUED");
      assertThat(world.job("job-" + i).state().isTerminal()).isFalse();
    }
  }

  @Test
  void SKY_23_a_waiting_job_names_who_is_ahead_of_it() {
    in(Land.usual().ladder(Land.pool()));
    world.round(world.submit("runs", gang(4)));
    world.round(world.submit("first", gang(4)));
    world.later(Duration.ofSeconds(1)).round(world.submit("second", gang(4)));

    Explanation explained =
        world.core().explain(world.state(), world.id("second"), world.now()).orElseThrow();

    assertThat(explained.ahead()).containsExactly(world.id("first"));
  }

  @Test
  void TFY_02_a_job_is_bound_to_a_cluster_when_it_is_placed_and_not_before() {
    world.round(new CommandInput.ClusterCordonSet(OHIO, true));
    world.round(world.submit("train", gang(1))).starts("train", BARE);
    assertThat(world.clusterOf("train")).isEqualTo(METAL);
  }

  @Test
  void TFY_05_budgets_of_failures_are_the_queues_own() {
    in(Land.usual().retry(new QueuePolicy.Retry(0, 3, Duration.ofMinutes(1))));
    world.round(world.submit("strict", gang(1)));
    world.round(agent.running("strict", "i-1"));
    world.round(agent.exited("strict", 1)).job("strict", "FAILED", Reason.USER_FAILURES_SPENT);
    in(Land.usual());
    world.round(world.submit("patient", gang(1)));
    world.round(agent.running("patient", "i-1"));
    world.round(agent.exited("patient", 1)).job("patient", "QUEUED");
  }

  @Test
  void VOL_05_a_promise_of_nodes_that_is_not_used_ends_with_what_it_waited_for() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1"));
    world.round(interruption("i-1")).holds("train", DEAR);
    world
        .round(agent.ended(world.attempt("train", 1), AgentInput.Cause.EXITED, 0))
        .job("train", "SUCCEEDED")
        .ended("train", 2, Outcome.DROPPED, Reason.PREDECESSOR_SUCCEEDED);
    assertThat(world.state().usage().members(DEAR)).isEmpty();
  }

  @Test
  void VOL_09_the_state_that_is_shown_follows_the_attempt_in_the_same_commit() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1")).job("train", "RUNNING");
    world.round(interruption("i-1")).job("train", "DRAINING").attempt("train", 1, "ENDING");
  }

  @Test
  void VOL_10_a_decision_touches_only_what_changed_however_much_runs() {
    for (int i = 0; i < 20; i++) {
      world.round(world.submit("job-" + i, gang(1)));
      world.round(agent.running("job-" + i, "i-" + i));
    }
    Round one = world.round(world.submit("new", gang(1)));
    assertThat(one.events().stream().flatMap(event -> job(event).stream()).distinct())
        .containsExactly(world.id("new"));
    assertThat(world.plan().evaluations()).hasSize(1);
  }

  private static Optional<JobId> job(Event event) {
    return switch (event) {
      case JobEvent e -> Optional.of(e.job());
      case AttemptEvent e -> Optional.of(e.attempt().job());
      default -> Optional.empty();
    };
  }
}
