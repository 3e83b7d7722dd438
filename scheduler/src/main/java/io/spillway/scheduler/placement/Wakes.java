package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.plan.ParkCause.Kind;
import io.spillway.scheduler.queue.Replacements;
import io.spillway.scheduler.state.Timers;
import io.spillway.scheduler.state.View;
import io.spillway.scheduler.state.Waiting;
import java.util.Collection;
import java.util.List;

/**
 * Lets classes into a round: those not parked, those whose time has come, and those that something
 * touched waits for. A parked class is first asked about the touched offerings alone; only if one
 * of them could now be taken, or is refused for a reason that the class does not wait for yet, is
 * the class judged anew.
 */
final class Wakes {
  private final View view;
  private final Round round;
  private final Terrain terrain;

  Wakes(View view, Round round, Terrain terrain) {
    this.view = view;
    this.round = round;
    this.terrain = terrain;
  }

  /** Classes that were never judged, or whose record was taken away. */
  void unparked(Replacements replacements) {
    for (Waiting.WaitingClass waiting : view.waiting().classes()) {
      if (view.parked(waiting.text()).isEmpty()) {
        round.enter(waiting.text());
      }
    }
    for (String text : List.copyOf(replacements.texts())) {
      if (view.parked(text).isEmpty()) {
        round.enter(text);
      }
    }
  }

  /** Classes that time alone wakes. */
  void due() {
    view.timers()
        .due(round.board().now(), Integer.MAX_VALUE, timer -> timer.kind() == Timers.Kind.CLASS)
        .forEach(timer -> round.enter((String) timer.subject()));
  }

  void touched(Touched touched) {
    if (touched.everything || view.reshaped()) {
      view.parked().forEach(parked -> round.enter(parked.shapeClass()));
      return;
    }
    touched.pauses.forEach(subject -> enter(Kind.PAUSE, subject));
    for (Offering offering : touched.freed) {
      wake(Kind.CAPACITY, offering.group(), terrain.offerings().sharing(offering.group()));
      wake(Kind.LAUNCH_BUDGET, offering.id().text(), List.of(offering));
    }
    for (Offering offering : touched.observed) {
      wake(Kind.OBSERVATION, offering.id().text(), List.of(offering));
      enter(Kind.FALLBACK, offering.id().text());
    }
    for (Offering offering : touched.others) {
      wake(Kind.CAPACITY, offering.group(), List.of(offering));
      enter(Kind.FALLBACK, offering.id().text());
    }
    touched.scopes.forEach(this::blocked);
    touched.clusters.forEach(this::cluster);
  }

  /** Nodes of these groups were taken: where they were somebody's fallback, spot may do now. */
  void used(Collection<String> groups) {
    for (String group : groups) {
      for (Offering offering : terrain.offerings().sharing(group)) {
        enter(Kind.FALLBACK, offering.id().text());
      }
    }
  }

  private void blocked(BlockScope scope) {
    List<Offering> covered = terrain.offerings().covered(scope);
    wake(Kind.BLOCK, scope.text(), covered);
    for (Offering offering : covered) {
      wake(Kind.LAUNCH_BUDGET, offering.id().text(), List.of(offering));
      enter(Kind.FALLBACK, offering.id().text());
    }
  }

  /** Nodes may make offerings that nobody could wait for by name, so everybody is asked. */
  private void cluster(ClusterName cluster) {
    List<Offering> there = terrain.offerings().in(cluster);
    view.parked().forEach(parked -> round.ask(parked.shapeClass(), there));
    there.forEach(offering -> enter(Kind.FALLBACK, offering.id().text()));
  }

  private void wake(Kind kind, String subject, Collection<Offering> touched) {
    for (String text : view.wakes().parkedOn(new ParkCause(kind, subject))) {
      round.ask(text, touched);
    }
  }

  private void enter(Kind kind, String subject) {
    view.wakes().parkedOn(new ParkCause(kind, subject)).forEach(round::enter);
  }
}
