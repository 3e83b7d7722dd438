package io.spillway.server.loop;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.plan.Evaluation;
import java.time.Instant;
import java.util.List;

/** The truth. Called by the loop's thread; blocks for the store. */
public interface Journal {

  /** Makes the proposal durable in one transaction, fenced by its epoch. Never throws. */
  Outcome commit(Proposal proposal);

  /**
   * The last row's place and content hash.
   *
   * @throws RuntimeException if the store does not answer: ask again
   */
  Head head();

  /** Rows after that number, in order, at most that many; throws as {@link #head}. */
  List<Entry> after(long seq, int limit);

  /**
   * One row.
   *
   * @param policy version of the policies in force after it
   * @param planHash over all its events
   * @param digest of the state after it
   */
  record Entry(
      long seq,
      Cycle cycle,
      List<Event> events,
      String core,
      String policy,
      String planHash,
      long digest) {
    public Entry {
      events = List.copyOf(events);
    }
  }

  /**
   * All that one commit writes. Committing the same proposal again has no further effect.
   *
   * @param jobs as they are after the entry's events, and likewise attempts
   */
  record Proposal(
      Entry entry,
      InboxSource.Taken taken,
      List<Job> jobs,
      List<Attempt> attempts,
      List<Evaluation> evaluations) {
    public Proposal {
      jobs = List.copyOf(jobs);
      attempts = List.copyOf(attempts);
      evaluations = List.copyOf(evaluations);
    }

    long epoch() {
      return entry.cycle().epoch();
    }
  }

  /** Seq 0 is a journal without a row. */
  record Head(long seq, long epoch, long cycle, Instant now, String planHash, long digest) {
    public static final Head GENESIS = new Head(0, 0, 0, Instant.EPOCH, "", 0);

    /** Whether the head is that proposal. */
    boolean is(Proposal proposal) {
      return seq == proposal.entry().seq()
          && epoch == proposal.epoch()
          && planHash.equals(proposal.entry().planHash());
    }
  }

  /** What became of a commit. */
  sealed interface Outcome {
    record Committed() implements Outcome {}

    /** No answer, or one that does not tell: read the head. */
    record Unknown(String why) implements Outcome {}

    /** Another epoch rules. */
    record Fenced(String why) implements Outcome {}
  }
}
