package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.ON_DEMAND;
import static io.spillway.scheduler.model.CapacityType.SPOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailoverStoryTest {
  private static final String SPOT_A = "east~a~p5.48xlarge~spot";
  private static final String SPOT_B = "east~b~p5.48xlarge~spot";
  private static final String DEMAND_A = "east~a~p5.48xlarge~on-demand";
  private static final String OWNED = "west~pool-zone~p5.48xlarge~reserved~owned";
  private final World world = new World();

  private void given(Rung... ladder) {
    world.policies(
        Given.policies(
            List.of(Given.queue(Given.RESEARCH, ladder)),
            List.of(
                Given.cluster("east", Given.capacity(8, List.of("a", "b"), SPOT, ON_DEMAND)),
                Given.cluster("west")),
            List.of(Given.pool("owned", "west", 2))));
    world.cycle(
        observed("a", SPOT, "2.10"), observed("b", SPOT, "2.50"), observed("a", ON_DEMAND, "6.88"));
  }

  private Event observed(String zone, io.spillway.scheduler.model.CapacityType type, String price) {
    return new MarketEvent.ObservationAdopted(
        Given.priced(Given.key(zone, type), price, world.now()));
  }

  private Standing away(String offering) {
    return new Standing(
        0,
        1,
        0,
        0,
        0,
        1,
        List.of(Standing.Exclusion.of(OfferingId.parse(offering), world.now().plusSeconds(600))));
  }

  @Test
  void SKY_01_the_next_attempt_after_an_interruption_excludes_the_offering_that_took_it_back() {
    given(Given.rung("spot", SPOT));
    world.submit("train", Given.job());
    world.cycle(world.runs("train"));

    world.cycle(world.drains("train", away(SPOT_A)));

    assertThat(world.placeText("train")).isEqualTo(SPOT_B);
    assertThat(world.attempt("train").orElseThrow().state())
        .isInstanceOf(AttemptState.Intended.class);
    assertThat(((JobState.Draining) world.job("train").state()).next())
        .contains(world.attempt("train").orElseThrow().id());
  }

  @Test
  void a_replacement_holds_its_launch_budget_and_is_dropped_when_its_place_is_blocked() {
    given(Given.rung("spot", SPOT), Given.pools("reserved", "owned"));
    world.submit("train", Given.job());
    world.cycle(world.runs("train"));
    world.cycle(world.drains("train", away(SPOT_A)));
    assertThat(world.state.usage().inFlight(OfferingId.parse(SPOT_B))).isEqualTo(1);

    world.cycle(world.block(OfferingId.parse(SPOT_B), Duration.ofMinutes(5)));

    assertThat(world.placeText("train")).isEqualTo(OWNED);
    assertThat(world.plan().events())
        .hasAtLeastOneElementOfType(JobEvent.ReplacementSet.class)
        .anyMatch(it -> it instanceof AttemptEvent.AttemptEnded);
    assertThat(world.state.usage().inFlight(OfferingId.parse(SPOT_B))).isZero();
  }

  @Test
  void KUE_08_a_refused_offering_is_excluded_and_the_next_is_tried_in_the_same_decision() {
    given(Given.rung("spot", SPOT));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo(SPOT_A);

    world.cycle(world.refused("train", Standing.FRESH, Duration.ofMinutes(2)));

    assertThat(world.placeText("train")).isEqualTo(SPOT_B);
  }

  @Test
  void KUE_09_what_a_job_met_is_part_of_it_so_it_does_not_return_to_the_same_offering() {
    given(Given.rung("spot", SPOT));
    world.submit("train", Given.job());

    world.cycle(world.refused("train", away(SPOT_A), Duration.ofSeconds(1)));
    world.later(Duration.ofSeconds(5)).cycle();

    assertThat(world.placeText("train")).isEqualTo(SPOT_B);
  }

  @Test
  void KAR_02_an_exhausted_rung_falls_through_after_its_time() {
    given(
        Given.until(Given.rung("spot", SPOT), Given.exhausted(Duration.ofMinutes(2))),
        Given.rung("last", ON_DEMAND));
    world.cycle(
        world.block(OfferingId.parse(SPOT_A), Duration.ofHours(1)),
        world.block(OfferingId.parse(SPOT_B), Duration.ofHours(1)));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo("waits");
    assertThat(world.parked("train").orElseThrow().until()).contains(world.now().plusSeconds(120));

    world.later(Duration.ofSeconds(119)).cycle();
    assertThat(world.placeText("train")).isEqualTo("waits");
    world.later(Duration.ofSeconds(1)).cycle();

    assertThat(world.placeText("train")).isEqualTo(DEMAND_A);
  }

  @Test
  void SLU_01_a_stock_out_in_one_cluster_reaches_the_reserved_pool_of_another() {
    given(Given.rung("spot", SPOT), Given.pools("reserved", "owned"));
    world.cycle(
        world.block(OfferingId.parse(SPOT_A), Duration.ofHours(1)),
        world.block(OfferingId.parse(SPOT_B), Duration.ofHours(1)));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo(OWNED);
    assertThat(world.attempt("train").orElseThrow().placement().price().micros()).isZero();
    assertThat(world.attempt("train").orElseThrow().placement().rungName()).isEqualTo("reserved");
  }

  @Test
  void TFY_04_a_cluster_that_is_cut_off_is_left_for_another_cloud() {
    given(Given.rung("spot", SPOT), Given.pools("reserved", "owned"));
    world.cycle(new ClusterEvent.ClusterCutOff(new ClusterName("east"), world.now()));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo(OWNED);
  }

  @Test
  void KAR_20_a_spot_stock_out_does_not_block_on_demand_of_the_same_machine() {
    given(Given.rung("any", SPOT, ON_DEMAND));
    world.cycle(
        world.block(OfferingId.parse(SPOT_A), Duration.ofHours(1)),
        world.block(OfferingId.parse(SPOT_B), Duration.ofHours(1)));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo(DEMAND_A);
  }

  @Test
  void DST_04_thirty_offerings_of_which_one_has_capacity_are_walked_in_one_decision() {
    List<String> zones = IntStream.range(0, 30).mapToObj(i -> "z" + (10 + i)).toList();
    world.policies(
        Given.policies(
            List.of(Given.queue(Given.RESEARCH, Given.rung("spot", SPOT))),
            List.of(Given.cluster("east", Given.capacity(40, zones, SPOT))),
            List.of()));
    List<Event> market = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      market.add(observed(zones.get(i), SPOT, "2." + (10 + i)));
      if (i < 29) {
        market.add(world.block(Given.offering("east", zones.get(i), SPOT), Duration.ofMinutes(5)));
      }
    }
    world.cycle(market);

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo("east~z39~p5.48xlarge~spot");
    assertThat(world.plan().evaluations().getFirst().refusals())
        .containsEntry(RefusalReason.BLOCKED, 29);
  }

  @Test
  void KAR_01_six_hundred_jobs_try_a_tight_offering_by_its_budget_and_reach_others_at_once() {
    given(Given.rung("any", SPOT, ON_DEMAND));
    List<Event> crowd = new ArrayList<>();
    for (int i = 0; i < 75; i++) {
      crowd.add(world.submitted("job" + i, Given.job()));
    }
    world.cycle(crowd);
    assertThat(launches()).containsExactlyInAnyOrder(SPOT_A, SPOT_B, DEMAND_A);

    int tries = 0;
    for (int minute = 0; minute < 60; minute++) {
      List<Event> refusals = new ArrayList<>();
      for (int i = 0; i < 75; i++) {
        if (world.placeText("job" + i).equals(SPOT_A)) {
          tries++;
          refusals.addAll(world.refused("job" + i, Standing.FRESH, Duration.ofMinutes(10)));
        }
      }
      world.cycle(refusals);
      world.later(Duration.ofMinutes(1)).cycle(observed("a", SPOT, "2.10"));
    }

    assertThat(tries).as("one trial each time the block ends").isBetween(2, 7);
  }

  private List<String> launches() {
    return world.plan().events().stream()
        .filter(AttemptEvent.AttemptLaunching.class::isInstance)
        .map(it -> ((AttemptEvent.AttemptLaunching) it).offering().text())
        .toList();
  }

  @Test
  void a_pool_whose_nodes_stand_ready_takes_a_crowd_at_once_and_a_spot_offering_one_trial() {
    given(Given.pools("reserved", "owned"));
    world.cycle(
        new ClusterEvent.NodesChanged(
            new ClusterName("west"),
            true,
            List.of(Given.node("n1", true), Given.node("n2", true), Given.node("n3", false)),
            List.of()));

    world.cycle(
        world.submitted("one", Given.job()),
        world.submitted("two", Given.job()),
        world.submitted("three", Given.job()));

    assertThat(launches()).containsExactly(OWNED, OWNED);
    assertThat(world.placeText("three")).isEqualTo("waits");
    world.cycle(world.succeeds("one"));
    assertThat(world.placeText("three")).isEqualTo(OWNED);
  }

  @Test
  void spot_does_once_a_placement_has_used_up_the_fallback_that_was_cheaper() {
    world.policies(
        Given.policies(
            List.of(Given.queue(Given.RESEARCH, Given.rung("any", SPOT, ON_DEMAND))),
            List.of(
                Given.cluster("east", Given.capacity(1, List.of("a"), ON_DEMAND)),
                Given.cluster("west", Given.capacity(1, List.of("b"), SPOT))),
            List.of()));
    world.cycle(observed("a", ON_DEMAND, "3.00"), observed("b", SPOT, "4.00"));
    world.cycle(
        new MarketEvent.BlockPlaced(
            io.spillway.scheduler.model.BlockScope.of(Given.key("b", SPOT)),
            io.spillway.scheduler.model.FailureClass.NO_CAPACITY,
            "x",
            world.now(),
            world.now().plusSeconds(1),
            0));
    world.submit("first", Given.job("urgent"));
    world.later(Duration.ofSeconds(2)).submit("second", Given.job());

    assertThat(world.placeText("first")).isEqualTo(DEMAND_A);
    assertThat(world.placeText("second")).isEqualTo("west~b~p5.48xlarge~spot");
  }

  @Test
  void an_empty_plan_says_nothing_twice() {
    given(Given.rung("spot", SPOT));
    world.cycle(world.block(OfferingId.parse(SPOT_A), Duration.ofHours(1)));
    world.cycle(world.block(OfferingId.parse(SPOT_B), Duration.ofHours(1)));
    world.submit("train", Given.job());
    assertThat(world.plan().events()).hasSize(1);
    assertThat(world.plan().evaluations()).hasSize(1);

    world.cycle(observed("a", ON_DEMAND, "6.90"));

    assertThat(world.plan().events()).isEmpty();
    assertThat(world.plan().evaluations()).isEmpty();
    assertThat(Optional.of(world.parked("train").orElseThrow().quarantined())).contains(false);
  }
}
