package io.spillway.scheduler.placement;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.market.PriceAge;
import io.spillway.scheduler.plan.EventSink;
import io.spillway.scheduler.queue.Replacements;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.ParkedClass;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Places waiting jobs, and the next attempts of draining ones. What it keeps between cycles is a
 * function of the state (offerings, static matches), so that a fresh one decides the same.
 */
public final class Placer {
  private final Terrains terrains;

  public Placer(PriceAge age) {
    this.terrains = new Terrains(age);
  }

  /**
   * Called once a cycle, after everything that happened was applied. While placements are stopped
   * (RECOVERY, a pause) classes are parked and nothing is placed.
   *
   * @param whatIf the draft that {@code sink} advances; what happened in this cycle is in the
   *     drafts around it
   */
  public void place(Draft whatIf, Cycle cycle, EventSink sink) {
    View view = whatIf.view();
    List<Event> happened = view.recent();
    Terrain terrain = terrains.of(view);
    Touched touched = new Touched(view, terrain.offerings());
    touched.add(happened);
    if (view.system().recovery().isEmpty()) {
      new HeldAttempts(view, cycle, sink)
          .drop(touched, new Board(view, cycle.now(), terrain), terrain.offerings());
    }
    Replacements replacements = new Replacements(view);
    Round round = new Round(view, cycle, sink, terrain, replacements);
    if (happened.stream().anyMatch(Placer::mayEmptyAClass)) {
      forgetEmpty(view, round);
    }
    Wakes wakes = new Wakes(view, round, terrain);
    wakes.unparked(replacements);
    wakes.due();
    wakes.touched(touched);
    while (round.hasContenders()) {
      round.run();
      wakes.used(round.takeUsedGroups());
    }
  }

  /**
   * How every offering stands for one job, whatever its class is parked on. Empty if no policy
   * names its queue.
   */
  public Optional<Assessment> assess(View view, Job job, Instant now) {
    return Assessment.of(view, job, now, terrains.of(view));
  }

  private static void forgetEmpty(View view, Round round) {
    for (ParkedClass parked : view.parked()) {
      if (round.head(parked.shapeClass()).isEmpty()) {
        round.parker().forget(parked.shapeClass(), "gone");
      }
    }
  }

  /** Whether a job may have left its class other than by a placement. */
  private static boolean mayEmptyAClass(Event event) {
    return switch (event) {
      case JobEvent.JobTaken e -> false;
      case JobEvent.JobRunning e -> false;
      case JobEvent.JobRan e -> false;
      case JobEvent.LabelsChanged e -> false;
      case JobEvent.CommandRefused e -> false;
      case JobEvent e -> true;
      case ControlEvent.PolicyAdopted e -> true;
      default -> false;
    };
  }
}
