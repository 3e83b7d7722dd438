package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.QueueName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What equal waiting jobs have in common: they are judged once for all. Neither age nor back-off is
 * part of it, but when a job with a past came back is: its ladder's clock starts there, so that
 * within a class the older job always has at least the rungs of the younger.
 *
 * @param rung index of the first rung
 * @param interruptions suffered on it, since they decide which rungs are open
 * @param requeuedAt when it last became QUEUED, unless that was its submit
 * @param excluded canonical text of the exclusions in the job's standing; empty for a fresh job
 */
public record ShapeClass(
    QueueName queue,
    String priorityClass,
    JobShape shape,
    int rung,
    int interruptions,
    int refusals,
    Optional<Instant> requeuedAt,
    String excluded) {
  private static final int HASH_BYTES = 12;

  public static ShapeClass of(Job job) {
    Standing standing = job.standing();
    return new ShapeClass(
        job.order().queue(),
        job.order().priorityClass(),
        job.order().shape(),
        standing.firstRung(),
        standing.interruptions(),
        standing.refusals(),
        requeuedAt(job),
        standing.excluded().isEmpty() ? "" : standing.excluded().toString());
  }

  private static Optional<Instant> requeuedAt(Job job) {
    return job.state() instanceof JobState.Queued queued
            && !queued.since().equals(job.submittedAt())
        ? Optional.of(queued.since())
        : Optional.empty();
  }

  /**
   * The canonical text of journal, parking and evaluations: queue, class and size for people, and a
   * hash of all parts. 96 bits of SHA-256, since users choose the parts.
   */
  public String text() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(toString().getBytes(StandardCharsets.UTF_8));
      return queue
          + "/"
          + priorityClass
          + "/"
          + shape.nodes()
          + "x"
          + shape.gpusPerNode()
          + "/"
          + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
