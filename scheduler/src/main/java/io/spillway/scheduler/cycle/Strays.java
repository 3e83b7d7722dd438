package io.spillway.scheduler.cycle;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.state.Memo;

/** Workloads that no attempt accounts for, as far as they stand in the way of their own job. */
final class Strays {
  private final Scene scene;

  Strays(Scene scene) {
    this.scene = scene;
  }

  /**
   * Whether a later try of the job runs than this store knows, or its last one in another cluster
   * than it was placed on here: the next would run beside that one. Only an operator who left
   * RECOVERY before everything matched brings that about. A try that this store followed by another
   * was seen to be over.
   */
  boolean runBeside(Job job) {
    return scene.view().strays().stream()
        .filter(stray -> stray.attempt().job().equals(job.id()))
        .anyMatch(stray -> isBeyond(stray, job));
  }

  private boolean isBeyond(Memo.Stray stray, Job job) {
    AttemptId id = stray.attempt();
    return id.number() > job.attempts() || (id.number() == job.attempts() && !wasPlaced(stray));
  }

  private boolean wasPlaced(Memo.Stray stray) {
    return scene
        .view()
        .attempt(stray.attempt())
        .filter(attempt -> attempt.placement().offering().cluster().equals(stray.cluster()))
        .isPresent();
  }
}
