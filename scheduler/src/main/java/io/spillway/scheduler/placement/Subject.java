package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;

/**
 * A class of equal jobs about to be judged by its head.
 *
 * @param text the class's canonical text
 * @param head the job that is judged; the others follow
 */
record Subject(
    String text, Job head, QueuePolicy queue, Gang gang, StaticMatch match, Ladder ladder) {

  Subject with(Ladder later) {
    return new Subject(text, head, queue, gang, match, later);
  }

  Rung rung(int index) {
    return queue.ladder().get(index);
  }
}
