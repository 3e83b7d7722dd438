package io.spillway.scheduler.placement;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.plan.EventSink;
import io.spillway.scheduler.queue.QueueOrder;
import io.spillway.scheduler.queue.Replacements;
import io.spillway.scheduler.state.View;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The placements of one decision. Contending classes take turns in the order of their heads, so
 * that no job is placed while one that goes before it could have had the same capacity; a class
 * with no choice left is parked. What a placement changes is seen by the next one.
 */
final class Round {
  /** So that a commit stays small; the rest is due in the next cycle, at once. */
  static final int MAX_PLACEMENTS = 2_000;

  private final View view;
  private final EventSink sink;
  private final Board board;
  private final OfferingFilter filter;
  private final Inquiry inquiry;
  private final Subjects subjects;
  private final Launcher launcher;
  private final ClassParker parker;
  private final Replacements replacements;
  private final PriorityQueue<Contender> contenders = new PriorityQueue<>();
  private final Map<String, Contender> entered = new HashMap<>();
  private final Set<String> usedGroups = new HashSet<>();
  private int placements;

  Round(View view, Cycle cycle, EventSink sink, Terrain terrain, Replacements replacements) {
    this.view = view;
    this.sink = sink;
    this.board = new Board(view, cycle.now(), terrain);
    this.filter = new OfferingFilter(board);
    this.inquiry = new Inquiry(view.policies(), filter, cycle.now());
    this.subjects = new Subjects(view, cycle.now(), terrain);
    this.launcher = new Launcher(cycle, sink);
    this.parker = new ClassParker(view, sink, board);
    this.replacements = replacements;
  }

  Board board() {
    return board;
  }

  ClassParker parker() {
    return parker;
  }

  /** Lets a class contend; one that has no job left is not let in. */
  void enter(String text) {
    contender(text).ifPresent(Contender::judgeAnyway);
  }

  /** Lets a parked class contend if something of these offerings can change its verdict. */
  void ask(String text, Collection<Offering> touched) {
    contender(text).ifPresent(contender -> contender.ask(touched));
  }

  private Optional<Contender> contender(String text) {
    Contender contending = entered.get(text);
    if (contending != null) {
      return Optional.of(contending);
    }
    Optional<Contender> fresh =
        head(text)
            .map(
                job ->
                    new Contender(text, job.order().queue(), QueueOrder.of(job, view.policies())));
    fresh.ifPresent(
        contender -> {
          entered.put(text, contender);
          contenders.add(contender);
        });
    return fresh;
  }

  boolean hasContenders() {
    return !contenders.isEmpty();
  }

  /** Gives turns until nobody has a choice left or the cycle is full. */
  void run() {
    while (!contenders.isEmpty()) {
      Contender contender = contenders.poll();
      Optional<Job> head = head(contender.text());
      if (head.isEmpty()) {
        leave(contender);
      } else if (placements == MAX_PLACEMENTS) {
        parker.postpone(contender.text());
        leave(contender);
      } else {
        turn(contender, head.get());
      }
    }
  }

  /** Groups whose nodes were taken since this was asked last. */
  Set<String> takeUsedGroups() {
    Set<String> taken = Set.copyOf(usedGroups);
    usedGroups.clear();
    return taken;
  }

  private void turn(Contender contender, Job head) {
    Optional<String> pause = pause(head);
    Optional<Subject> subject = subjects.of(contender.text(), head);
    if (pause.isPresent()) {
      parker.parkPaused(contender, pause.get());
      leave(contender);
    } else if (subject.isEmpty()) {
      parker.parkOrphan(contender);
      leave(contender);
    } else if (isUnmoved(contender, subject.get())) {
      leave(contender);
    } else {
      contender.judgeAnyway();
      choose(contender, subject.get())
          .ifPresentOrElse(
              choice -> place(contender, head, choice), () -> park(contender, subject.get()));
    }
  }

  /** Whether a parked class still waits for all that refuses it. */
  private boolean isUnmoved(Contender contender, Subject subject) {
    return contender
        .question()
        .flatMap(
            touched ->
                view.parked(contender.text())
                    .map(parked -> !inquiry.mayChange(parked, subject, touched)))
        .orElse(false);
  }

  private void place(Contender contender, Job head, Choice choice) {
    contender.placed(launcher.launch(head, choice, rungName(contender, choice)));
    placements++;
    board.forget(choice.offering());
    usedGroups.add(choice.offering().group());
    if (Replacements.isOne(contender.text())) {
      replacements.advance(contender.text());
    }
    head(contender.text()).ifPresent(job -> contender.headIs(QueueOrder.of(job, view.policies())));
    contenders.add(contender);
  }

  private void park(Contender contender, Subject subject) {
    Judgement judgement = contender.judged().orElseThrow().judgement();
    if (subject.match().isEmpty()) {
      parker.quarantine(contender);
      leave(contender);
      return;
    }
    parker.startClocks(subject, judgement.barren());
    Ladder ladder = subjects.ladder(subject.text(), subject.head(), subject.queue());
    if (ladder.opened(board.now()) > subject.ladder().opened(board.now())) {
      contender.reconsider();
      contenders.add(contender);
    } else {
      parker.park(contender, judgement, ladder);
      leave(contender);
    }
  }

  /** What stops placements for the job: the system's pause or recovery, or its queue's pause. */
  private Optional<String> pause(Job head) {
    if (view.system().paused() || view.system().recovery().isPresent()) {
      return Optional.of("");
    }
    return Optional.of(head.order().queue()).filter(view::queuePaused).map(QueueName::value);
  }

  /** A judgement serves until its choices are used up; then the class is judged once more. */
  private Optional<Choice> choose(Contender contender, Subject subject) {
    if (contender.judged().isEmpty() || isFallbackGone(contender)) {
      judge(contender, subject);
    }
    Optional<Choice> choice = stillGood(contender, subject);
    if (choice.isEmpty() && !contender.isFresh(subject.head(), placements)) {
      judge(contender, subject);
      choice = stillGood(contender, subject);
    }
    return choice;
  }

  private void judge(Contender contender, Subject subject) {
    Judgement judgement = Judgement.of(subject, filter, board);
    contender.judged(new Contender.Judged(subject, judgement, placements));
    parker.clearClocks(contender.text(), judgement.fruitful());
  }

  private boolean isFallbackGone(Contender contender) {
    return contender
        .judged()
        .flatMap(
            judged ->
                judged
                    .judgement()
                    .fallback()
                    .filter(it -> !it.isStillGood(judged.subject(), filter)))
        .isPresent();
  }

  /** Within a decision room and budgets only shrink, so a choice that is gone stays gone. */
  private Optional<Choice> stillGood(Contender contender, Subject subject) {
    Optional<Fallback> fallback = contender.judged().orElseThrow().judgement().fallback();
    for (Optional<Choice> best = contender.best(); best.isPresent(); best = contender.best()) {
      Choice choice = best.get();
      if (!subject.ladder().isOpen(choice.rung(), board.now())) {
        return Optional.empty();
      }
      Verdict verdict =
          filter.verdict(subject.gang(), choice.offering(), subject.rung(choice.rung()), fallback);
      if (verdict instanceof Verdict.Admissible) {
        return best;
      }
      contender.skip();
    }
    return Optional.empty();
  }

  private static String rungName(Contender contender, Choice choice) {
    return contender.judged().orElseThrow().subject().rung(choice.rung()).name();
  }

  /** It may contend again later in the same decision, if a placement changes its verdict. */
  private void leave(Contender contender) {
    entered.remove(contender.text());
    if (head(contender.text()).isEmpty()) {
      parker.forget(contender.text(), "placed");
    }
    Evaluations.of(contender, board).ifPresent(sink::judged);
  }

  Optional<Job> head(String text) {
    return Replacements.isOne(text)
        ? replacements.head(text)
        : view.waiting().byText(text).map(waiting -> waiting.jobs().first());
  }
}
