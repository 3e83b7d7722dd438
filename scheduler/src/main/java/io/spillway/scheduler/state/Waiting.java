package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.QueueName;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Index of the jobs that wait: queued ones by class, and draining ones that have no replacement
 * yet. Also counts jobs by queue and state. Derived; never part of the digest.
 */
public final class Waiting implements Table.Listener<JobId, Job> {
  /** A job's place in the queue for life: submit time, then id. */
  public static final Comparator<Job> ORDER =
      Comparator.comparing(Job::submittedAt).thenComparing(Job::id);

  private final Map<ShapeClass, WaitingClass> classes = new HashMap<>();
  private final Map<String, WaitingClass> byText = new HashMap<>();
  private final NavigableSet<Job> replaceable = new TreeSet<>(ORDER);
  private final Map<QueueName, NavigableMap<String, Integer>> counts = new TreeMap<>();

  Waiting() {}

  /** Equal jobs, oldest first, none of them in a back-off. Not to be kept over a change. */
  public static final class WaitingClass {
    private final ShapeClass shapeClass;
    private final String text;
    private final NavigableSet<Job> jobs = new TreeSet<>(ORDER);

    private WaitingClass(ShapeClass shapeClass) {
      this.shapeClass = shapeClass;
      this.text = shapeClass.text();
    }

    public ShapeClass shapeClass() {
      return shapeClass;
    }

    /** The class's canonical text, as in events and evaluations. */
    public String text() {
      return text;
    }

    /** Not empty; a live read-only view. */
    public NavigableSet<Job> jobs() {
      return Collections.unmodifiableNavigableSet(jobs);
    }
  }

  /** All classes that have a job waiting, in no order. A live read-only view. */
  public Collection<WaitingClass> classes() {
    return Collections.unmodifiableCollection(classes.values());
  }

  public Optional<WaitingClass> byText(String text) {
    return Optional.ofNullable(byText.get(text));
  }

  /**
   * Draining jobs whose next attempt is not intended, oldest first, without those that a user sent
   * back to the queue. A live read-only view.
   */
  public NavigableSet<Job> replaceable() {
    return Collections.unmodifiableNavigableSet(replaceable);
  }

  /** Jobs of a queue by the label of their state; states with no job are missing. */
  public NavigableMap<String, Integer> counts(QueueName queue) {
    return Collections.unmodifiableNavigableMap(counts.getOrDefault(queue, new TreeMap<>()));
  }

  /** Queues that have jobs. */
  public Collection<QueueName> queues() {
    return Collections.unmodifiableCollection(counts.keySet());
  }

  @Override
  public void changed(JobId id, Job before, Job after) {
    if (before != null) {
      leave(before);
      count(before, -1);
    }
    if (after != null) {
      enter(after);
      count(after, 1);
    }
  }

  boolean sameAs(Waiting other) {
    return jobsByText().equals(other.jobsByText())
        && replaceable.equals(other.replaceable)
        && counts.equals(other.counts);
  }

  private Map<String, NavigableSet<Job>> jobsByText() {
    Map<String, NavigableSet<Job>> jobs = new HashMap<>();
    byText.forEach((text, waiting) -> jobs.put(text, waiting.jobs));
    return jobs;
  }

  private void enter(Job job) {
    if (isReady(job)) {
      WaitingClass waiting =
          classes.computeIfAbsent(
              ShapeClass.of(job),
              shapeClass -> {
                WaitingClass fresh = new WaitingClass(shapeClass);
                byText.put(fresh.text, fresh);
                return fresh;
              });
      waiting.jobs.add(job);
    } else if (isReplaceable(job)) {
      replaceable.add(job);
    }
  }

  private void leave(Job job) {
    if (isReady(job)) {
      WaitingClass waiting = classes.get(ShapeClass.of(job));
      waiting.jobs.remove(job);
      if (waiting.jobs.isEmpty()) {
        classes.remove(waiting.shapeClass);
        byText.remove(waiting.text);
      }
    } else if (isReplaceable(job)) {
      replaceable.remove(job);
    }
  }

  private static boolean isReady(Job job) {
    return job.state() instanceof JobState.Queued queued && queued.notBefore().isEmpty();
  }

  private static boolean isReplaceable(Job job) {
    return job.state() instanceof JobState.Draining draining
        && draining.next().isEmpty()
        && draining.reason() != Reason.USER_REQUEUED
        && draining.reason() != Reason.USER_STOPPED_ATTEMPT;
  }

  private void count(Job job, int change) {
    NavigableMap<String, Integer> ofQueue =
        counts.computeIfAbsent(job.order().queue(), queue -> new TreeMap<>());
    int now = ofQueue.merge(job.state().label(), change, Integer::sum);
    if (now == 0) {
      ofQueue.remove(job.state().label());
      if (ofQueue.isEmpty()) {
        counts.remove(job.order().queue());
      }
    }
  }
}
