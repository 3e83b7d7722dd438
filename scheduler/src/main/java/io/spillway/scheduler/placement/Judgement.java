package io.spillway.scheduler.placement;

import io.spillway.scheduler.plan.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How one class was judged: what may be taken, in order, and why not the rest.
 *
 * @param choices over all open rungs, best first
 * @param refused every offering that matches statically and is not among the choices, once
 * @param fallback the capacity that spot has to undercut
 * @param barren open rungs that yield nothing
 * @param fruitful open rungs that yield something
 */
record Judgement(
    List<Choice> choices,
    List<Refusal> refused,
    Optional<Fallback> fallback,
    List<Integer> barren,
    List<Integer> fruitful) {

  /** One offering's refusal, on the rung where it came furthest. */
  record Refusal(Offering offering, int rung, Verdict.Refused verdict) {}

  /** Judges every statically matching offering on every open rung. */
  static Judgement of(Subject subject, OfferingFilter filter, Board board) {
    StaticMatch match = subject.match();
    Optional<Fallback> fallback =
        Fallback.of(subject.gang(), subject.queue().ladder(), match, filter);
    Refusal[] refusals = new Refusal[board.size()];
    boolean[] taken = new boolean[board.size()];
    List<Choice> choices = new ArrayList<>();
    List<Integer> barren = new ArrayList<>();
    List<Integer> fruitful = new ArrayList<>();
    for (int rung = 0; rung < match.rungs(); rung++) {
      boolean open = subject.ladder().isOpen(rung, board.now());
      int before = choices.size();
      Verdict closed = closed(subject.ladder(), rung);
      for (Offering offering : match.on(rung)) {
        if (taken[offering.index()]) {
          continue;
        }
        Verdict verdict =
            open
                ? filter.verdict(
                    subject.gang(), offering, subject.queue().ladder().get(rung), fallback)
                : closed;
        switch (verdict) {
          case Verdict.Admissible it -> {
            choices.add(new Choice(offering, rung, it.price()));
            taken[offering.index()] = true;
          }
          case Verdict.Refused it -> keepFurthest(refusals, new Refusal(offering, rung, it));
        }
      }
      if (open) {
        (choices.size() > before ? fruitful : barren).add(rung);
      }
    }
    choices.sort(Choice.order(subject.gang().shape().rdma()));
    return new Judgement(choices, left(refusals, taken), fallback, barren, fruitful);
  }

  private static Verdict closed(Ladder ladder, int rung) {
    return Verdict.Refused.of(RefusalReason.RUNG_NOT_OPEN, ladder.opensAt().get(rung));
  }

  /** An open rung says more than a closed one; of two open ones the later check. */
  private static void keepFurthest(Refusal[] refusals, Refusal found) {
    Refusal known = refusals[found.offering().index()];
    if (known == null || isFurther(found.verdict().reason(), known.verdict().reason())) {
      refusals[found.offering().index()] = found;
    }
  }

  /** The reasons stand in the order of the checks. */
  private static boolean isFurther(RefusalReason found, RefusalReason known) {
    return found != RefusalReason.RUNG_NOT_OPEN
        && (known == RefusalReason.RUNG_NOT_OPEN || found.compareTo(known) > 0);
  }

  private static List<Refusal> left(Refusal[] refusals, boolean[] taken) {
    List<Refusal> left = new ArrayList<>();
    for (int i = 0; i < refusals.length; i++) {
      if (refusals[i] != null && !taken[i]) {
        left.add(refusals[i]);
      }
    }
    return left;
  }
}
