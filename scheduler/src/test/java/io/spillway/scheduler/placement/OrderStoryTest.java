package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.SPOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderStoryTest {
  private static final String OWNED = "west~pool-zone~p5.48xlarge~reserved~owned";
  private final World world = new World();

  private void givenPool(int nodes) {
    world.policies(poolOf(nodes));
    List<io.spillway.scheduler.input.AgentInput.ReportedNode> ready = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      ready.add(Given.node("n" + i, true));
    }
    world.cycle(new ClusterEvent.NodesChanged(new ClusterName("west"), true, ready, List.of()));
  }

  private static PolicySet poolOf(int nodes) {
    return Given.policies(
        List.of(Given.queue(Given.RESEARCH, Given.pools("reserved", "owned"))),
        List.of(Given.cluster("west")),
        List.of(Given.pool("owned", "west", nodes)));
  }

  @Test
  void DST_01_freed_blocks_go_to_the_higher_and_older_jobs_however_often_they_were_tried() {
    givenPool(1);
    world.submit("running", Given.job());
    world.later(Duration.ofSeconds(1)).submit("old-high", Given.job("urgent"));
    world.later(Duration.ofMinutes(15)).submit("fresh-low", Given.job("low"));
    world.submit("fresh-high", Given.job("urgent"));

    world.cycle(world.succeeds("running"));
    assertThat(world.placeText("old-high")).isEqualTo(OWNED);
    world.cycle(world.succeeds("old-high"));
    assertThat(world.placeText("fresh-high")).isEqualTo(OWNED);
    world.cycle(world.succeeds("fresh-high"));
    assertThat(world.placeText("fresh-low")).isEqualTo(OWNED);
  }

  @Test
  void SKY_16_twenty_jobs_that_wait_for_one_full_cluster_start_in_the_order_of_their_submits() {
    givenPool(1);
    for (int i = 0; i < 20; i++) {
      world.later(Duration.ofSeconds(1)).submit("job" + i, Given.job());
    }
    for (int i = 0; i < 20; i++) {
      assertThat(world.placeText("job" + i)).isEqualTo(OWNED);
      world.cycle(world.succeeds("job" + i));
    }
  }

  @Test
  void KUE_06_ten_thousand_that_do_not_fit_do_not_hide_the_one_that_does() {
    givenPool(2);
    world.submit("running", Given.job());
    List<Event> crowd = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      crowd.add(world.submitted("big" + i, Given.job(Given.shape(2, 8))));
    }
    world.cycle(crowd);
    assertThat(world.plan().evaluations()).hasSize(1);

    world.submit("small", Given.job());

    assertThat(world.placeText("small")).isEqualTo(OWNED);
    assertThat(world.plan().evaluations()).hasSize(1);
  }

  @Test
  void YUN_08_a_first_candidate_that_is_too_large_does_not_stop_the_search() {
    givenPool(2);
    world.cycle(
        world.submitted(
            "large", Given.job(Given.job("urgent").queue(), "urgent", Given.shape(3, 8))),
        world.submitted("small", Given.job("low")));

    assertThat(world.placeText("small")).isEqualTo(OWNED);
    assertThat(world.placeText("large")).isEqualTo("waits");
  }

  @Test
  void FEN_02_and_YUN_03_a_gang_that_can_never_fit_is_quarantined_until_policies_change() {
    givenPool(2);
    world.submit("large", Given.job(Given.shape(3, 8)));
    assertThat(world.parked("large").orElseThrow().quarantined()).isTrue();
    assertThat(world.parked("large").orElseThrow().causes())
        .containsExactly(
            new ParkCause(ParkCause.Kind.SHAPES, ""), new ParkCause(ParkCause.Kind.POLICY, ""));

    world.cycle(new ControlEvent.PolicyAdopted(poolOf(3), world.now()));

    assertThat(world.parked("large").map(it -> it.quarantined()).orElse(false)).isFalse();
  }

  @Test
  void KUE_22_a_raised_priority_leaves_the_parked_class_and_is_looked_at_at_once() {
    givenPool(1);
    world.submit("running", Given.job());
    world.submit("first", Given.job());
    world.later(Duration.ofSeconds(1)).submit("raised", Given.job("low"));

    world.cycle(new JobEvent.PriorityChanged(world.id("raised"), "urgent"));
    assertThat(world.parked("raised")).isPresent();
    world.cycle(world.succeeds("running"));

    assertThat(world.placeText("raised")).isEqualTo(OWNED);
    assertThat(world.placeText("first")).isEqualTo("waits");
  }

  @Test
  void a_job_in_back_off_keeps_its_place_and_is_passed_over_until_it_is_over() {
    givenPool(1);
    world.submit("older", Given.job());
    world.later(Duration.ofSeconds(1)).submit("younger", Given.job());
    Event ended =
        world.ended(
            world.attempt("older").orElseThrow(),
            io.spillway.scheduler.lifecycle.Outcome.FAILED,
            Reason.EXITED_NONZERO);
    world.cycle(
        ended,
        new JobEvent.JobQueued(
            world.id("older"),
            world.now(),
            Reason.EXITED_NONZERO,
            Standing.FRESH,
            Optional.of(world.now().plusSeconds(60))));
    assertThat(world.placeText("younger")).isEqualTo(OWNED);
    world.later(Duration.ofSeconds(5)).submit("youngest", Given.job());

    world.later(Duration.ofSeconds(60)).cycle(new JobEvent.BackoffEnded(world.id("older")));
    world.cycle(world.succeeds("younger"));

    assertThat(world.placeText("older")).isEqualTo(OWNED);
    assertThat(world.placeText("youngest")).isEqualTo("waits");
  }

  @Test
  void DST_11_a_gang_goes_whole_or_not_at_all() {
    givenPool(3);
    world.submit("first", Given.job(Given.shape(2, 8)));
    world.submit("second", Given.job(Given.shape(2, 8)));

    assertThat(world.placeText("first")).isEqualTo(OWNED);
    assertThat(world.placeText("second")).isEqualTo("waits");
    assertThat(world.explain("second").candidates().getFirst().detail())
        .isEqualTo("needs 2 nodes, 1 of 3 free");
  }

  @Test
  void while_the_system_is_paused_nothing_is_placed_and_everything_when_it_resumes() {
    givenPool(1);
    world.cycle(new ControlEvent.SystemPaused(true));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo("waits");
    assertThat(world.parked("train").orElseThrow().causes())
        .contains(new ParkCause(ParkCause.Kind.PAUSE, ""));

    world.cycle(new ControlEvent.SystemPaused(false));

    assertThat(world.placeText("train")).isEqualTo(OWNED);
  }

  @Test
  void in_recovery_nothing_is_placed_until_it_is_left() {
    givenPool(1);
    world.cycle(new ControlEvent.RecoveryEntered("a newer store", world.now()));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo("waits");

    world.cycle(new ControlEvent.RecoveryLeft(world.now(), true));

    assertThat(world.placeText("train")).isEqualTo(OWNED);
  }

  @Test
  void a_paused_queue_waits_and_capacity_that_comes_meanwhile_is_taken_when_it_resumes() {
    givenPool(1);
    world.submit("running", Given.job());
    world.submit("train", Given.job());
    world.cycle(new ControlEvent.QueuePaused(Given.RESEARCH, true));
    world.cycle(world.succeeds("running"));
    assertThat(world.parked("train").orElseThrow().causes())
        .contains(new ParkCause(ParkCause.Kind.PAUSE, "research"));

    world.cycle(new ControlEvent.QueuePaused(Given.RESEARCH, false));

    assertThat(world.placeText("train")).isEqualTo(OWNED);
  }

  @Test
  void a_cycle_places_at_most_two_thousand_and_the_rest_is_due_at_once() {
    givenPool(2_100);
    List<Event> crowd = new ArrayList<>();
    for (int i = 0; i < 2_050; i++) {
      crowd.add(world.submitted("job" + i, Given.job()));
    }
    world.cycle(crowd);
    assertThat(world.state.usage().on(new ClusterName("west"))).hasSize(2_000);
    assertThat(world.plan().nextWake()).contains(world.now());

    world.cycle();

    assertThat(world.state.usage().on(new ClusterName("west"))).hasSize(2_050);
  }

  @Test
  void a_cancelled_class_leaves_no_record_behind() {
    givenPool(1);
    world.submit("running", Given.job());
    world.submit("train", Given.job());
    assertThat(world.state.parked()).hasSize(1);

    world.cycle(new JobEvent.JobCancelled(world.id("train"), world.now()));

    assertThat(world.state.parked()).isEmpty();
  }

  @Test
  void the_line_before_a_job_counts_over_all_classes_and_names_the_first() {
    givenPool(1);
    world.submit("running", Given.job());
    world.submit("low", Given.job("low"));
    world.later(Duration.ofSeconds(1)).submit("normal", Given.job());
    world.submit("urgent", Given.job("urgent"));

    assertThat(world.explain("low").ahead())
        .containsExactly(world.id("urgent"), world.id("normal"));
    assertThat(world.explain("low").line().orElseThrow().ahead()).isEqualTo(2);
    assertThat(world.explain("low").line().orElseThrow().exact()).isTrue();
    assertThat(world.explain("urgent").line().orElseThrow().ahead()).isZero();
    assertThat(world.explain("low").eta().reason()).isEqualTo("not supported by this version");
    assertThat(world.explain("low").parked()).isPresent();
    assertThat(world.explain("low").rungs().getFirst().open()).isTrue();
    assertThat(world.explain("running").line()).isEmpty();
  }

  @Test
  void a_queue_that_no_policy_names_any_more_parks_its_jobs_for_another_policy() {
    givenPool(1);
    world.submit("running", Given.job());
    world.submit("train", Given.job());
    world.cycle(
        new ControlEvent.PolicyAdopted(
            Given.policies(List.of(), List.of(Given.cluster("west")), List.of()), world.now()));
    assertThat(world.parked("train").orElseThrow().causes())
        .containsExactly(new ParkCause(ParkCause.Kind.POLICY, ""));

    world.cycle(new ControlEvent.PolicyAdopted(poolOf(2), world.now()));
    world.cycle(
        new MarketEvent.ObservationAdopted(
            Given.priced(Given.key("a", SPOT), "2.00", world.now())));

    assertThat(world.parked("train").orElseThrow().causes())
        .anyMatch(it -> it.kind() == ParkCause.Kind.CAPACITY);
  }
}
