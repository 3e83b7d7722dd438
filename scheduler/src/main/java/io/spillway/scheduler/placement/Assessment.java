package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.queue.Replacements;
import io.spillway.scheduler.state.ShapeClass;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every offering with its verdict for one job, as an explanation shows it.
 *
 * @param shapeClass key of the job's class in parking and clocks
 * @param candidates ranked ones first, then the refused, those that match statically before those
 *     that never will
 * @param refusals counted by reason
 * @param opensAt by rung: since or from when it is open; empty if no time opens it
 */
public record Assessment(
    String shapeClass,
    List<Candidate> candidates,
    Map<RefusalReason, Integer> refusals,
    List<Optional<Instant>> opensAt) {

  public Assessment {
    candidates = List.copyOf(candidates);
    opensAt = List.copyOf(opensAt);
  }

  /** The key under which a job's class is parked. */
  public static String classOf(Job job) {
    return job.state() instanceof JobState.Draining
        ? Replacements.textOf(job)
        : ShapeClass.of(job).text();
  }

  static Optional<Assessment> of(View view, Job job, Instant now, Terrain terrain) {
    String text = classOf(job);
    return new Subjects(view, now, terrain)
        .of(text, job)
        .map(subject -> of(view, subject, new Board(view, now, terrain), terrain));
  }

  private static Assessment of(View view, Subject subject, Board board, Terrain terrain) {
    Judgement judgement = Judgement.of(subject, new OfferingFilter(board), board);
    List<Candidate> candidates = new ArrayList<>();
    ClosedRungs closed = new ClosedRungs(board, terrain.offerings(), subject.gang());
    new Candidates(board, subject.gang())
        .of(judgement, Integer.MAX_VALUE).stream().map(closed::told).forEach(candidates::add);
    candidates.addAll(never(view, subject, terrain));
    return new Assessment(
        subject.text(),
        candidates,
        Candidates.counts(subject.match(), judgement),
        subject.ladder().opensAt());
  }

  /** Offerings that no rung names or the shape does not fit; rung −1, since none is theirs. */
  private static List<Candidate> never(View view, Subject subject, Terrain terrain) {
    ShapeFilter filter = new ShapeFilter(subject.gang().shape(), subject.queue().name());
    List<Candidate> never = new ArrayList<>();
    for (Offering offering : terrain.offerings().all()) {
      if (!subject.match().has(offering)) {
        ClusterPolicy cluster = view.policies().clusters().get(offering.id().cluster());
        Optional<RefusalReason> reason =
            StaticMatch.onLadder(offering, cluster, subject.queue())
                .or(() -> filter.verdict(offering, terrain.shapes().of(offering), cluster));
        never.add(refused(offering.id(), reason));
      }
    }
    return never;
  }

  private static Candidate refused(OfferingId offering, Optional<RefusalReason> reason) {
    return new Candidate(offering, -1, 0, Optional.empty(), reason, Optional.empty(), "");
  }
}
