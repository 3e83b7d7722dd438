package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.queue.QueueOrder;
import io.spillway.scheduler.state.ParkedClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A class of jobs that asks for placements in one decision, with how far it has come. */
final class Contender implements Comparable<Contender> {
  private final String text;
  private final QueueName queue;
  private final List<Evaluation.Placed> placed = new ArrayList<>();
  private QueueOrder order;
  private Optional<Judged> judged = Optional.empty();
  private Optional<Judged> told = Optional.empty();
  private Optional<ParkedClass> parked = Optional.empty();
  private Optional<Set<Offering>> touched = Optional.of(new LinkedHashSet<>());
  private int next;

  /**
   * A judgement and what it was made of.
   *
   * @param placements how many there had been in the decision
   */
  record Judged(Subject subject, Judgement judgement, int placements) {}

  Contender(String text, QueueName queue, QueueOrder order) {
    this.text = text;
    this.queue = queue;
    this.order = order;
  }

  String text() {
    return text;
  }

  QueueName queue() {
    return queue;
  }

  /** It waits for something of these: whether that suffices is asked at its turn. */
  void ask(Collection<Offering> offerings) {
    touched.ifPresent(known -> known.addAll(offerings));
  }

  /** It is judged at its turn, whatever was touched. */
  void judgeAnyway() {
    touched = Optional.empty();
  }

  /** What to ask it about first; empty if it is judged anyway. */
  Optional<Set<Offering>> question() {
    return touched;
  }

  void headIs(QueueOrder place) {
    order = place;
  }

  void judged(Judged fresh) {
    judged = Optional.of(fresh);
    next = 0;
    if (told.map(it -> it.judgement().choices().isEmpty()).orElse(true)) {
      told = judged;
    }
  }

  Optional<Judged> judged() {
    return judged;
  }

  /** The judgement that is stored: the first that had a choice, else the last. */
  Optional<Judged> told() {
    return told;
  }

  boolean isFresh(Job head, int placements) {
    return judged
        .map(it -> it.placements() == placements && it.subject().head().id().equals(head.id()))
        .orElse(false);
  }

  /** The best choice not yet found wanting. */
  Optional<Choice> best() {
    return judged
        .map(it -> it.judgement().choices())
        .filter(choices -> next < choices.size())
        .map(choices -> choices.get(next));
  }

  /** The best choice was taken up meanwhile. */
  void skip() {
    next++;
  }

  void placed(Evaluation.Placed one) {
    placed.add(one);
  }

  List<Evaluation.Placed> placed() {
    return placed;
  }

  /** Another rung opened: what was judged is no longer all. */
  void reconsider() {
    judged = Optional.empty();
  }

  /** It was set aside, or for other causes than before. */
  void parked(ParkedClass record) {
    parked = Optional.of(record);
  }

  Optional<ParkedClass> parked() {
    return parked;
  }

  @Override
  public int compareTo(Contender other) {
    return order.compareTo(other.order);
  }
}
