package io.spillway.scheduler.queue;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.state.ShapeClass;
import io.spillway.scheduler.state.View;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Draining jobs that want their next attempt intended while the present one ends, by class. Their
 * keys are those of waiting classes but for the ending, so that both are parked and woken alike.
 */
public final class Replacements {
  private static final String ENDING = "/next";

  private final SortedMap<String, Deque<Job>> classes = new TreeMap<>();

  /** Those of the state, each class oldest first. */
  public Replacements(View view) {
    for (Job job : view.waiting().replaceable()) {
      if (isReplaced(job)) {
        classes.computeIfAbsent(textOf(job), text -> new ArrayDeque<>()).addLast(job);
      }
    }
  }

  /** The key of a draining job's class. */
  public static String textOf(Job job) {
    return ShapeClass.of(job).text() + ENDING;
  }

  /** Whether a parked class's key is one of a draining class. */
  public static boolean isOne(String text) {
    return text.endsWith(ENDING);
  }

  public Set<String> texts() {
    return classes.keySet();
  }

  /** The oldest that has no replacement yet. */
  public Optional<Job> head(String text) {
    return Optional.ofNullable(classes.get(text)).map(Deque::peekFirst);
  }

  /** Its replacement is intended: the next one's turn. */
  public void advance(String text) {
    Deque<Job> jobs = classes.get(text);
    jobs.removeFirst();
    if (jobs.isEmpty()) {
      classes.remove(text);
    }
  }

  /** Not when a user wanted the attempt to stop: such a job goes back to its place and waits. */
  private static boolean isReplaced(Job job) {
    return job.state() instanceof JobState.Draining draining
        && switch (draining.reason()) {
          case USER_REQUEUED, USER_STOPPED_ATTEMPT -> false;
          default -> true;
        };
  }
}
