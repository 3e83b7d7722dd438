package io.spillway.scheduler.explain;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.placement.Assessment;
import io.spillway.scheduler.placement.Placer;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explains one job from the state, by judging every offering for it anew. */
public final class Explainer {
  private final Placer placer;

  /**
   * @param placer whose offerings and matches are reused
   */
  public Explainer(Placer placer) {
    this.placer = placer;
  }

  public Explanation explain(View view, Job job, Instant now) {
    String shapeClass = Assessment.classOf(job);
    Optional<Assessment> assessment = placer.assess(view, job, now);
    Optional<Queue> queue = Queue.before(job, view);
    return new Explanation(
        job.id(),
        shapeClass,
        assessment.map(Assessment::candidates).orElse(List.of()),
        rungs(view, job, assessment, now),
        view.parked(shapeClass),
        queue.map(Queue::first).orElse(List.<JobId>of()),
        queue.map(Queue::line),
        Explanation.Eta.NOT_SUPPORTED,
        now);
  }

  private static List<Explanation.RungState> rungs(
      View view, Job job, Optional<Assessment> assessment, Instant now) {
    QueuePolicy queue = view.policies().queues().get(job.order().queue());
    List<Explanation.RungState> rungs = new ArrayList<>();
    if (queue != null && assessment.isPresent()) {
      List<Rung> ladder = queue.ladder();
      for (int i = 0; i < ladder.size(); i++) {
        Optional<Instant> opensAt = assessment.get().opensAt().get(i);
        boolean open = opensAt.map(at -> !at.isAfter(now)).orElse(false);
        rungs.add(new Explanation.RungState(ladder.get(i).name(), open, opensAt));
      }
    }
    return rungs;
  }
}
