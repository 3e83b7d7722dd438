package io.spillway.scheduler.explain;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.state.ShapeClass;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.List;

/** Explains one job from the state. This first version knows no candidates. */
public final class Explainer {

  public Explanation explain(View view, Job job, Instant now) {
    String shapeClass = ShapeClass.of(job).text();
    return new Explanation(
        job.id(), shapeClass, List.of(), view.parked(shapeClass), List.of(), now);
  }
}
