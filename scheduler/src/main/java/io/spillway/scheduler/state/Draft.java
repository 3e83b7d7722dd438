package io.spillway.scheduler.state;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What a cycle changes, before it is sure. It advances the state's own maps and keeps the inverse:
 * {@link #adopt} forgets the inverse, {@link #discard} applies it. Drafts nest like brackets: the
 * inner one is closed before the outer one is touched again.
 */
public final class Draft {
  private final State state;
  private final int mark;
  private final List<Event> events = new ArrayList<>();
  private final NavigableSet<JobId> jobs = new TreeSet<>();
  private final NavigableSet<AttemptId> attempts = new TreeSet<>();
  private final long shapes;
  private boolean open = true;

  Draft(State state, int mark) {
    this.state = state;
    this.mark = mark;
    this.shapes = state.inventory().shapesGeneration();
  }

  /**
   * Advances by one event.
   *
   * @throws IllegalTransition if its subject's state does not allow it; the draft must then be
   *     discarded
   */
  public void apply(Event event) {
    requireOpen();
    state.change(event);
    events.add(event);
    switch (event) {
      case JobEvent.CommandRefused e -> {}
      case JobEvent.LabelsChanged e -> jobs.add(e.job());
      case JobEvent e -> jobs.add(e.job());
      case AttemptEvent e -> {
        attempts.add(e.attempt());
        if (e instanceof AttemptEvent.AttemptIntended) {
          jobs.add(e.attempt().job());
        }
      }
      default -> {}
    }
  }

  public void apply(List<Event> more) {
    more.forEach(this::apply);
  }

  /** The state as this draft says. */
  public View view() {
    requireOpen();
    return state;
  }

  /** What was applied to this draft itself, in order. */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** Generation of known shapes when this was opened. */
  long shapesAtOpening() {
    return shapes;
  }

  /** Jobs that this draft changed, as they now are; terminal ones too. By id. */
  public List<Job> changedJobs() {
    requireOpen();
    return jobs.stream().flatMap(id -> state.job(id).stream()).toList();
  }

  /** Attempts that this draft changed, as they now are. By id. */
  public List<Attempt> changedAttempts() {
    requireOpen();
    return attempts.stream().flatMap(id -> state.attempt(id).stream()).toList();
  }

  /** The digest that the state will have once this is adopted. */
  public long digest() {
    requireOpen();
    return state.digest();
  }

  /** Keeps everything. An inner draft's changes become the outer one's own. */
  public void adopt() {
    requireOpen();
    open = false;
    state.adopted(this).ifPresent(this::mergeInto);
  }

  private void mergeInto(Draft outer) {
    outer.events.addAll(events);
    outer.jobs.addAll(jobs);
    outer.attempts.addAll(attempts);
  }

  /** Takes everything back. */
  public void discard() {
    requireOpen();
    open = false;
    state.discarded(this, mark);
  }

  private void requireOpen() {
    if (!open || !state.isInnermost(this)) {
      throw new IllegalStateException("the draft is closed, or another is open on top of it");
    }
  }
}
