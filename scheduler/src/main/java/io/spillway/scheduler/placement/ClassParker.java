package io.spillway.scheduler.placement;

import io.spillway.scheduler.event.ClassEvent;
import io.spillway.scheduler.plan.EventSink;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.queue.Parking;
import io.spillway.scheduler.state.ParkedClass;
import io.spillway.scheduler.state.View;
import java.util.List;
import java.util.Optional;

/** Sets classes aside with their causes and keeps the clocks of exhausted rungs. */
final class ClassParker {
  /** More rungs than any ladder has; clocks of rungs beyond it would outlive their class. */
  private static final int MOST_RUNGS = 64;

  private final View view;
  private final EventSink sink;
  private final Board board;

  ClassParker(View view, EventSink sink, Board board) {
    this.view = view;
    this.sink = sink;
    this.board = board;
  }

  /** Nothing is placed for it while a pause lasts; an empty subject is everybody's. */
  void parkPaused(Contender contender, String subject) {
    record(contender, new Parking().on(ParkCause.Kind.PAUSE, subject).of(contender.text(), false));
  }

  /** No policy names its queue any more: only another policy can help. */
  void parkOrphan(Contender contender) {
    record(contender, new Parking().of(contender.text(), true));
  }

  /** No offering could ever serve it: it costs nothing until shapes, nodes or policies change. */
  void quarantine(Contender contender) {
    record(contender, new Parking().on(ParkCause.Kind.SHAPES, "").of(contender.text(), true));
  }

  /** Waits for whatever could lift one of the refusals, or for another rung to open. */
  void park(Contender contender, Judgement judgement, Ladder ladder) {
    Parking parking = new Parking().until(ladder.nextOpening(board.now()));
    for (Judgement.Refusal refusal : judgement.refused()) {
      RefusalCauses.add(parking, refusal.offering(), refusal.verdict());
    }
    record(contender, parking.of(contender.text(), false));
  }

  /** Starts the clocks of open rungs that yield nothing and count that. */
  void startClocks(Subject subject, List<Integer> barren) {
    for (int rung : barren) {
      boolean counts = subject.rung(rung).until().flatMap(it -> it.exhausted()).isPresent();
      if (counts && view.exhaustedSince(subject.text(), rung).isEmpty()) {
        sink.emit(new ClassEvent.RungExhausted(subject.text(), rung, Optional.of(board.now())));
      }
    }
  }

  /** These rungs yield something. */
  void clearClocks(String text, List<Integer> fruitful) {
    for (int rung : fruitful) {
      clearClock(text, rung);
    }
  }

  /** The cycle is full: it is looked at again in the next one, which is due at once. */
  void postpone(String text) {
    view.parked(text)
        .filter(parked -> !parked.until().equals(Optional.of(board.now())))
        .ifPresent(
            parked ->
                sink.emit(
                    new ClassEvent.ClassParked(
                        text, parked.causes(), Optional.of(board.now()), parked.quarantined())));
    sink.wakeAt(board.now());
  }

  /** The class has no job left. */
  void forget(String text, String cause) {
    if (view.parked(text).isPresent()) {
      sink.emit(new ClassEvent.ClassWoken(text, cause));
    }
    for (int rung = 0; rung < MOST_RUNGS; rung++) {
      clearClock(text, rung);
    }
  }

  private void clearClock(String text, int rung) {
    if (view.exhaustedSince(text, rung).isPresent()) {
      sink.emit(new ClassEvent.RungExhausted(text, rung, Optional.empty()));
    }
  }

  /** A class that waits for the same things as before is no news. */
  private void record(Contender contender, ParkedClass parked) {
    Optional<ParkedClass> before = view.parked(contender.text());
    if (!before.equals(Optional.of(parked))) {
      sink.emit(
          new ClassEvent.ClassParked(
              parked.shapeClass(), parked.causes(), parked.until(), parked.quarantined()));
      contender.parked(parked);
    }
  }
}
