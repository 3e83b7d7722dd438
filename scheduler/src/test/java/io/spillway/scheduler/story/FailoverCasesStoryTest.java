package io.spillway.scheduler.story;

import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.METAL;
import static io.spillway.scheduler.story.Land.OHIO;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.RefusalReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Cases that kept other schedulers' jobs where nothing was to be had. */
class FailoverCasesStoryTest {
  private World world = World.of(Land.usual());
  private Agent agent = world.agent();

  private void in(Land land) {
    world = World.of(land);
    agent = world.agent();
  }

  private Input refused(String name, FailureClass why, BlockScope scope, Duration block) {
    return new AgentInput.SymptomReported(
        world.clusterOf(name),
        Optional.of(world.attempt(name).id()),
        new CapacityFailure(why, scope, block, "code", world.now()));
  }

  /** Everything of that family in the account's region, whatever the market. */
  private static BlockScope family() {
    return new BlockScope(
        "aws",
        "prod",
        Optional.of("here"),
        Optional.empty(),
        Optional.of("p5."),
        Optional.empty(),
        Optional.empty(),
        BlockScope.Reserved.INCLUDED);
  }

  private Input gone(String name) {
    return agent.ended(world.attempt(name, 1), Cause.STOPPED);
  }

  @Test
  void SKY_07_SLU_02_a_code_never_seen_before_means_elsewhere_and_never_a_failed_job() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world
        .round(
            refused(
                "train",
                FailureClass.UNKNOWN,
                BlockScope.of(Land.key(CHEAP)),
                Duration.ofMinutes(5)))
        .holds("train", DEAR);
    world.round(gone("train")).starts("train", DEAR);
    assertThat(world.job("train").standing().userFailures()).isZero();
  }

  @Test
  void KAR_23_a_retry_is_an_attempt_of_its_own_and_none_changes_the_offering_it_was_made_for() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.refused("train", Duration.ofMinutes(5)));
    AttemptId first = new AttemptId(world.id("train"), 1);
    AttemptId second = new AttemptId(world.id("train"), 2);
    assertThat(world.attempt("train").id()).isEqualTo(second);
    assertThat(world.attempt("train", 1).id()).isEqualTo(first);
    assertThat(world.attempt("train", 1).placement().offering()).isEqualTo(CHEAP);
    assertThat(world.attempt("train").placement().offering()).isEqualTo(DEAR);
  }

  @Test
  void SLU_06_a_market_that_keeps_refusing_is_left_after_the_ladders_number_of_refusals() {
    in(Land.usual().ladder(Land.spot(Optional.of(Land.refusals(2))), Land.pool()));
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.refused("train", Duration.ofMinutes(5))).holds("train", DEAR);
    world.round(gone("train")).starts("train", DEAR);
    world.round(agent.refused("train", Duration.ofMinutes(5))).holds("train", BARE);
    assertThat(world.job("train").standing().firstRung()).isEqualTo(1);
  }

  @Test
  void SLU_08_SKY_21_a_used_up_quota_is_left_alone_by_every_job_until_its_time_is_over() {
    in(Land.usual().ladder(Land.spot(Optional.empty())));
    world.round(world.submit("train", gang(1)));
    world.round(refused("train", FailureClass.QUOTA, family(), Duration.ofMinutes(30)));
    world.round(gone("train")).startsNothing();
    world.round(world.submit("other", gang(1))).startsNothing();
    world.wait(Duration.ofMinutes(29));
    assertThat(world.job("train").attempts() + world.job("other").attempts()).isEqualTo(1);
    world.round(world.prices());
    world.wait(Duration.ofMinutes(2));
    assertThat(world.job("train").attempts() + world.job("other").attempts())
        .as("one trial, not one for each job and zone")
        .isBetween(2, 3);
  }

  @Test
  void KUE_11_a_cluster_that_cannot_provide_is_left_for_another_one() {
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world
        .round(refused("train", FailureClass.NO_CAPACITY, family(), Duration.ofMinutes(5)))
        .holds("train", BARE);
    world.round(gone("train")).starts("train", BARE);
    assertThat(world.clusterOf("train")).isEqualTo(METAL);
  }

  @Test
  void a_zone_without_free_machines_refuses_every_market_but_not_what_is_reserved_in_it() {
    in(Land.usual().ladder(Land.pool()));
    BlockScope shapeInZone =
        new BlockScope(
            "oci",
            "prod",
            Optional.of("here"),
            Optional.of("m"),
            Optional.of(Land.TYPE),
            Optional.empty(),
            Optional.empty(),
            BlockScope.Reserved.LEFT_OUT);
    world.round(
        new MarketInput.FailureObserved(
            new CapacityFailure(
                FailureClass.NO_CAPACITY,
                shapeInZone,
                Duration.ofHours(1),
                "Out of host capacity.",
                world.now())));
    world.round(world.submit("train", gang(1))).starts("train", BARE);
  }

  @Test
  void a_rung_that_a_refusal_closed_is_explained_with_the_refusal() {
    in(Land.usual().ladder(Land.spot(Optional.of(Land.refusals(1))), Land.pool()));
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.refused("train", Duration.ofMinutes(5))).holds("train", BARE);
    world.round(gone("train")).starts("train", BARE);

    Explanation explained =
        world.core().explain(world.state(), world.id("train"), world.now()).orElseThrow();

    assertThat(explained.candidates())
        .filteredOn(candidate -> candidate.offering().equals(CHEAP))
        .singleElement()
        .satisfies(
            cheap -> {
              assertThat(cheap.refusal()).contains(RefusalReason.RUNG_NOT_OPEN);
              assertThat(cheap.detail())
                  .startsWith("BLOCKED until ")
                  .contains("NO_CAPACITY InsufficientInstanceCapacity");
            });
  }

  @Test
  void KAR_03_a_throttled_call_in_a_reservation_sends_no_job_to_dearer_capacity() {
    in(Land.usual().ladder(Land.pool(), Land.spot(Optional.empty())));
    world.round(world.submit("train", gang(1))).starts("train", BARE);
    BlockScope region =
        new BlockScope(
            "oci",
            "prod",
            Optional.of("here"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            BlockScope.Reserved.INCLUDED);

    world
        .round(refused("train", FailureClass.THROTTLED, region, Duration.ofSeconds(5)))
        .job("train", "LAUNCHING")
        .startsNothing();

    assertThat(world.job("train").attempts()).isEqualTo(1);
    world
        .later(Duration.ofSeconds(30))
        .round(agent.running("train", "m-1"))
        .job("train", "RUNNING");
    assertThat(world.clusterOf("train")).isEqualTo(METAL);
  }

  @Test
  void a_full_reservation_is_left_alone_and_the_market_beside_it_is_not() {
    in(Land.usual().ladder(Land.pool(), Land.spot(Optional.empty())));
    world.round(world.submit("train", gang(1))).starts("train", BARE);
    world
        .round(
            refused(
                "train",
                FailureClass.NO_CAPACITY,
                BlockScope.of(Land.key(BARE)),
                Duration.ofMinutes(5)))
        .holds("train", CHEAP);
    assertThat(world.state().block(Land.key(BARE), world.now())).isPresent();
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isEmpty();
  }

  @Test
  void KUE_12_a_cluster_that_vanished_is_lost_by_its_own_timer_and_its_queue_says_what_follows() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "i-1"));
    world.round(new AgentInput.SessionClosed(OHIO, 1));
    Round lost = world.wait(Duration.ofMinutes(29));
    assertThat(lost.of(ClusterEvent.ClusterLost.class)).isEmpty();
    world.wait(Duration.ofMinutes(2)).job("train", "RUNNING").startsNothing();
    assertThat(world.state().cluster(OHIO).isHeard()).isFalse();
    world.round(world.submit("other", gang(1))).starts("other", BARE);
  }

  @Test
  void SLU_03_a_job_that_moved_keeps_what_was_asked_and_not_what_it_got() {
    world.round(world.submit("train", gang(2)));
    world.round(agent.running("train", "i-1", "i-2"));
    world.round(loss("i-1")).job("train", "DRAINING", Reason.INSTANCE_LOST);
    assertThat(world.job("train").order()).isEqualTo(gang(2));
    assertThat(world.attempt("train").placement().nodes()).isEqualTo(2);
  }

  @Test
  void SKY_03_an_interrupted_job_goes_back_to_its_old_place_and_not_behind_the_others() {
    in(Land.usual().ladder(Land.pool()));
    world.round(world.submit("old", gang(4))).starts("old", BARE);
    world.round(agent.running("old", "m-1", "m-2", "m-3", "m-4"));
    world.later(Duration.ofMinutes(5)).round(world.submit("young", gang(4))).startsNothing();
    world.round(world.command("old", io.spillway.scheduler.input.CommandInput.JobVerb.REQUEUE));
    Round freed = world.round(agent.ended(world.attempt("old", 1), Cause.STOPPED));
    assertThat(world.job("old").attempts()).isEqualTo(2);
    freed.starts("old", BARE);
    assertThat(world.job("young").attempts()).isZero();
  }

  @Test
  void COO_08_a_job_in_an_unknown_state_holds_up_nobody_behind_it() {
    world.round(world.submit("head", gang(1))).starts("head", CHEAP);
    world.wait(Duration.ofMinutes(15)).attempt("head", 1, "UNKNOWN");
    Round next = world.round(world.submit("next", gang(1)));
    assertThat(world.job("next").attempts()).as("started at once").isEqualTo(1);
    next.job("next", "LAUNCHING");
  }

  @Test
  void NOM_09_a_job_that_crashes_over_and_over_costs_the_others_no_turn() {
    in(Land.usual().ladder(Land.pool()));
    world.round(world.submit("crash", gang(4)));
    world.round(agent.running("crash", "m-1"));
    world.round(world.submit("steady", gang(4))).startsNothing();
    world.round(agent.exited("crash", 1, 1, 1, 1)).starts("steady", BARE);
    assertThat(world.job("crash").standing().userFailures()).isEqualTo(1);
  }

  private Input loss(String instance) {
    OfferingId where = world.attempt("train").placement().offering();
    return new io.spillway.scheduler.input.MarketInput.NoticeReceived(
        new CapacityNotice(
            "loss-" + instance,
            Land.key(where).provider(),
            "prod",
            "here",
            CapacityNotice.Kind.LOSS,
            List.of(instance),
            Optional.empty(),
            world.now(),
            Optional.of(world.now())));
  }
}
