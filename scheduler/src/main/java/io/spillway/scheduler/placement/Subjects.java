package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Puts together what a job is judged by. */
final class Subjects {
  private final View view;
  private final Instant now;
  private final Terrain terrain;

  Subjects(View view, Instant now, Terrain terrain) {
    this.view = view;
    this.now = now;
    this.terrain = terrain;
  }

  /** Empty if no policy names the job's queue any more. */
  Optional<Subject> of(String text, Job head) {
    return Optional.ofNullable(view.policies().queues().get(head.order().queue()))
        .map(queue -> of(text, head, queue));
  }

  private Subject of(String text, Job head, QueuePolicy queue) {
    return new Subject(
        text,
        head,
        queue,
        Gang.of(head.order().shape(), excluded(head.standing())),
        terrain.match(head.order().shape(), queue),
        ladder(text, head, queue));
  }

  /** Without those whose grounds have changed: there it is worth asking again. */
  private List<Exclusion> excluded(Standing standing) {
    return standing.excluded().stream()
        .filter(
            exclusion ->
                exclusion
                    .grounds()
                    .map(
                        grounds ->
                            grounds.stillHold(
                                view.policies().version(),
                                view.abilities(exclusion.offering().cluster())))
                    .orElse(true))
        .toList();
  }

  /** The ladder as the clocks now stand. A draining job has not waited yet. */
  Ladder ladder(String text, Job head, QueuePolicy queue) {
    Standing standing = head.standing();
    Instant since = head.state() instanceof JobState.Queued queued ? queued.since() : now;
    return Ladder.of(
        queue.ladder(),
        new Ladder.Counters(standing.firstRung(), standing.interruptions(), standing.refusals()),
        since,
        rung -> view.exhaustedSince(text, rung));
  }
}
