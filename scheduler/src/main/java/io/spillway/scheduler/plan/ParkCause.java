package io.spillway.scheduler.plan;

/**
 * Something that can change the verdict on a parked class.
 *
 * @param subject the offering, scope, queue or cluster concerned; empty = any
 */
public record ParkCause(Kind kind, String subject) implements Comparable<ParkCause> {

  /** Kinds of causes, a closed set for metrics. */
  public enum Kind {
    CAPACITY,
    LAUNCH_BUDGET,
    BLOCK,
    OBSERVATION,
    RUNG_OPENS,
    BACKOFF,
    EXCLUSION,
    PAUSE,
    CLUSTER,
    /** Capacity that spot has to undercut may stop being admissible; subject: that offering. */
    FALLBACK,
    /** A node shape, or an offering made of nodes, may become known; for a quarantined class. */
    SHAPES,
    POLICY
  }

  @Override
  public int compareTo(ParkCause other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : subject.compareTo(other.subject);
  }
}
