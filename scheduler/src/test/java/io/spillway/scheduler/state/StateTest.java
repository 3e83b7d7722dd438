package io.spillway.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.scheduler.cycle.PlanHash;
import io.spillway.scheduler.event.ClassEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.story.Agent;
import io.spillway.scheduler.story.Land;
import io.spillway.scheduler.story.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateTest {
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");
  private static final JobId ONE = new JobId(String.format("01%024d", 1));
  private static final JobId TWO = new JobId(String.format("01%024d", 2));

  private final State state = new State();

  private static JobEvent taken(JobId id) {
    return new JobEvent.JobTaken(id, Land.gang(1), NOW);
  }

  @Test
  void a_discarded_draft_leaves_no_trace() {
    state.apply(taken(ONE));
    long digest = state.digest();
    Draft draft = state.draft();
    draft.apply(taken(TWO));
    draft.apply(new JobEvent.JobCancelled(ONE, NOW));
    draft.apply(new ControlEvent.QueuePaused(Land.QUEUE, true));
    draft.apply(new ClassEvent.ClassParked("c", List.of(), Optional.of(NOW), false));
    assertThat(draft.digest()).isNotEqualTo(digest);
    draft.discard();
    assertThat(state.digest()).isEqualTo(digest);
    assertThat(state.jobs()).extracting(Job::id).containsExactly(ONE);
    assertThat(state.queuePaused(Land.QUEUE)).isFalse();
    assertThat(state.timers().next()).isEmpty();
    assertThat(Invariants.check(state)).isEmpty();
  }

  @Test
  void an_adopted_draft_is_what_applying_its_events_gives() {
    Draft draft = state.draft();
    draft.apply(List.of(taken(ONE), taken(TWO)));
    draft.adopt();
    State other = new State();
    other.apply(taken(TWO));
    other.apply(taken(ONE));
    assertThat(state.digest()).isEqualTo(other.digest()).isNotEqualTo(new State().digest());
  }

  @Test
  void a_draft_on_a_draft_is_taken_back_alone_or_becomes_the_outer_ones() {
    Draft outer = state.draft();
    outer.apply(taken(ONE));
    Draft inner = outer.view().draft();
    inner.apply(taken(TWO));
    assertThatThrownBy(() -> outer.apply(taken(TWO))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> state.apply(taken(TWO))).isInstanceOf(IllegalStateException.class);
    inner.discard();
    assertThat(outer.view().job(TWO)).isEmpty();
    Draft again = outer.view().draft();
    again.apply(taken(TWO));
    again.adopt();
    assertThat(outer.events()).hasSize(2);
    assertThat(outer.changedJobs()).extracting(Job::id).containsExactly(ONE, TWO);
    outer.discard();
    assertThat(state.jobs()).isEmpty();
    assertThatThrownBy(outer::adopt).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_terminal_job_is_read_until_its_commit_and_is_in_no_digest() {
    long empty = state.digest();
    state.apply(taken(ONE));
    Draft draft = state.draft();
    draft.apply(new JobEvent.JobCancelled(ONE, NOW));
    assertThat(draft.view().job(ONE).orElseThrow().state().label()).isEqualTo("CANCELLED");
    assertThat(draft.changedJobs()).hasSize(1);
    assertThat(draft.digest()).isEqualTo(empty);
    draft.adopt();
    assertThat(state.job(ONE)).isEmpty();
    assertThat(state.digest()).isEqualTo(empty);
  }

  @Test
  void FEN_05_ARM_13_rows_of_the_head_and_an_older_memo_with_the_events_since_are_the_state() {
    World world = World.of(Land.usual());
    Memo memo = world.state().memo();
    List<Event> since = new ArrayList<>();
    Agent agent = world.agent();
    since.addAll(world.round(world.submit("train", Land.gang(2))).events());
    since.addAll(world.round(agent.running("train", "i-1", "i-2")).events());
    since.addAll(world.round(world.prices()).events());
    State again = State.restore(world.state().rows(), memo, since);
    assertThat(again.digest()).isEqualTo(world.state().digest());
    assertThat(again.memo()).isEqualTo(world.state().memo());
    assertThat(again.rows()).isEqualTo(world.state().rows());
    assertThat(Invariants.check(again)).isEmpty();
  }

  @Test
  void every_part_of_the_memo_counts_in_the_digest() {
    long digest = state.digest();
    for (var event :
        List.of(
            new ControlEvent.SystemPaused(true),
            new ControlEvent.QueuePaused(Land.QUEUE, true),
            new ControlEvent.PoolCordoned(Land.POOL, true),
            new ControlEvent.ListeningBegan(4, NOW),
            new ControlEvent.RecoveryEntered("why", NOW),
            new ControlEvent.DriftFound(1, "", NOW),
            new MarketEvent.ObservationAdopted(Land.seen(Land.CHEAP, "2", NOW)),
            new MarketEvent.PriceQuarantined(Land.key(Land.CHEAP), "odd"),
            new ClassEvent.RungExhausted("c", 1, Optional.of(NOW)))) {
      state.apply(event);
      assertThat(state.digest()).as(event.toString()).isNotEqualTo(digest);
      digest = state.digest();
    }
    assertThat(State.restore(state.rows(), state.memo(), List.of()).digest()).isEqualTo(digest);
    state.apply(new ClassEvent.RungExhausted("c", 1, Optional.empty()));
    assertThat(state.exhaustedSince("c", 1)).isEmpty();
    state.apply(new ControlEvent.RecoveryLeft(NOW, true));
    assertThat(state.system().recovery()).isEmpty();
    assertThat(state.system().epoch()).isEqualTo(4);
    assertThat(state.system().paused()).isTrue();
    assertThat(state.system().drift()).isEqualTo(1);
  }

  @Test
  void parked_classes_are_found_by_their_cause_or_by_any_of_its_kind() {
    ParkCause exact = new ParkCause(ParkCause.Kind.CAPACITY, "x");
    ParkCause any = new ParkCause(ParkCause.Kind.CAPACITY, "");
    state.apply(new ClassEvent.ClassParked("one", List.of(exact), Optional.empty(), false));
    state.apply(new ClassEvent.ClassParked("two", List.of(any), Optional.empty(), true));
    assertThat(state.wakes().parkedOn(exact)).containsExactly("one", "two");
    assertThat(state.wakes().parkedOn(new ParkCause(ParkCause.Kind.CAPACITY, "y")))
        .containsExactly("two");
    state.apply(new ClassEvent.ClassWoken("two", "x"));
    assertThat(state.wakes().parkedOn(exact)).containsExactly("one");
    assertThat(state.parked("two")).isEmpty();
    assertThat(state.parked()).extracting(ParkedClass::shapeClass).containsExactly("one");
  }

  @Test
  void equal_plans_have_equal_hashes_and_order_counts() {
    assertThat(PlanHash.of(List.of(taken(ONE), taken(TWO))))
        .isEqualTo(PlanHash.of(List.of(taken(ONE), taken(TWO))))
        .hasSize(64)
        .isNotEqualTo(PlanHash.of(List.of(taken(TWO), taken(ONE))));
  }

  @Test
  void boards_show_what_is_there() {
    World world = World.of(Land.usual());
    world.round(world.submit("train", Land.gang(2)), world.submit("huge", Land.gang(40)));
    world.round(world.agent().running("train", "i-1", "i-2"));
    State shown = world.state();
    OfferingStatus cheap =
        shown.offerings(world.now()).stream()
            .filter(it -> it.id().equals(Land.CHEAP))
            .findFirst()
            .orElseThrow();
    assertThat(cheap.usedNodes()).isEqualTo(2);
    assertThat(cheap.launchLimit()).isEqualTo(2);
    assertThat(cheap.inFlight()).isZero();
    assertThat(cheap.maxNodes()).isEqualTo(32);
    assertThat(shown.offerings(world.now())).hasSize(5);
    assertThat(shown.pools())
        .singleElement()
        .satisfies(
            pool -> {
              assertThat(pool.readyNodes()).isEqualTo(4);
              assertThat(pool.usedNodes()).isZero();
            });
    assertThat(shown.nodes()).hasSize(4);
    assertThat(shown.clusters()).hasSize(2);
    assertThat(shown.clusters().getLast().attempts()).isEqualTo(1);
    assertThat(shown.queues())
        .singleElement()
        .satisfies(
            queue -> {
              assertThat(queue.jobs()).containsEntry("RUNNING", 1).containsEntry("QUEUED", 1);
              assertThat(queue.oldestWaiting()).contains(World.START);
              assertThat(queue.known()).isTrue();
            });
    assertThat(shown.unlaunchable()).isEmpty();
  }
}
