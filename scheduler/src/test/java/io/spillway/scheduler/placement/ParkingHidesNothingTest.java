package io.spillway.scheduler.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.cycle.PlanHash;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.market.PriceAge;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.queue.QueueOrder;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.View;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Under seeded weather of every kind of event: what is parked could not start, nobody is overtaken,
 * no room is sold twice, and a core that starts afresh decides the same.
 */
class ParkingHidesNothingTest {
  /** Fewer for mutation tests, which run this for each of thousands of mutants. */
  private static final int SEEDS = Integer.getInteger("spillway.parking.seeds", 150);

  private static final int STEPS = 120;

  @Test
  void no_parked_class_could_be_placed_and_no_job_is_overtaken() {
    int placements = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      placements += simulate(seed);
    }
    assertThat(placements).as("the weather must let jobs through").isGreaterThan(SEEDS * 5);
  }

  private static int simulate(long seed) {
    World world = new World();
    Weather weather = new Weather(world, seed);
    Placer fresh = new Placer(PriceAge.DEFAULT);
    world.policies(weather.policies());
    int placements = 0;
    for (int step = 0; step < STEPS; step++) {
      List<Event> happened = weather.next();
      String where = "seed " + seed + ", step " + step + ", " + happened;
      Draft draft = world.state.draft();
      draft.apply(happened);
      Cycle cycle = new Cycle(step, world.now(), step, 1);
      var plan = world.core.decide(draft.view(), cycle);
      assertThat(PlanHash.of(plan.events()))
          .as(where)
          .isEqualTo(
              PlanHash.of(
                  new SchedulerCore(CoreSettings.DEFAULT).decide(draft.view(), cycle).events()));
      nobodyIsOvertaken(draft, plan.events(), fresh, world, where);
      draft.apply(plan.events());
      draft.adopt();
      placements +=
          (int) plan.events().stream().filter(ParkingHidesNothingTest::isPlacement).count();
      nothingIsHidden(world, fresh, where);
      noRoomIsSoldTwice(world, where);
    }
    return placements;
  }

  private static void nothingIsHidden(World world, Placer fresh, String where) {
    View view = world.state;
    for (Job job : view.jobs()) {
      boolean waits =
          job.state() instanceof JobState.Queued
              || (job.state() instanceof JobState.Draining draining && draining.next().isEmpty());
      if (waits) {
        assertThat(view.parked(Assessment.classOf(job))).as(where + " " + job).isPresent();
        if (!isPaused(view, job)) {
          assertThat(admissible(view, fresh, job, world)).as(where + " " + job).isEmpty();
        }
      }
    }
  }

  /** Before each placement, no waiting job that goes before the placed one could go there. */
  private static void nobodyIsOvertaken(
      Draft outer, List<Event> events, Placer fresh, World world, String where) {
    Draft replayed = outer.view().draft();
    try {
      for (Event event : events) {
        if (event instanceof AttemptEvent.AttemptIntended placed) {
          View view = replayed.view();
          QueueOrder mine =
              QueueOrder.of(view.job(placed.attempt().job()).orElseThrow(), view.policies());
          OfferingId there = placed.placement().offering();
          for (var waiting : view.waiting().classes()) {
            Job other = waiting.jobs().first();
            boolean before = QueueOrder.of(other, view.policies()).compareTo(mine) < 0;
            if (before && !isPaused(view, other)) {
              assertThat(admissible(view, fresh, other, world))
                  .as(where + " " + placed + " overtakes " + other)
                  .doesNotContain(there);
            }
          }
        }
        replayed.apply(event);
      }
    } finally {
      replayed.discard();
    }
  }

  private static void noRoomIsSoldTwice(World world, String where) {
    world
        .state
        .pools()
        .forEach(
            pool ->
                assertThat(pool.usedNodes()).as(where).isLessThanOrEqualTo(pool.policy().nodes()));
  }

  private static List<OfferingId> admissible(View view, Placer fresh, Job job, World world) {
    return fresh.assess(view, job, world.now()).orElseThrow().candidates().stream()
        .filter(candidate -> candidate.rank() > 0)
        .map(Candidate::offering)
        .toList();
  }

  private static boolean isPaused(View view, Job job) {
    return view.system().paused() || view.queuePaused(job.order().queue());
  }

  private static boolean isPlacement(Event event) {
    return event instanceof AttemptEvent.AttemptIntended;
  }
}
