package io.spillway.scheduler.model;

import java.util.Comparator;

/**
 * The n-th try of a job. Names in clusters derive from it, so a retry never meets an object of the
 * try before.
 *
 * @param number counts from 1
 */
public record AttemptId(JobId job, int number) implements Comparable<AttemptId> {
  private static final Comparator<AttemptId> ORDER =
      Comparator.comparing(AttemptId::job).thenComparingInt(AttemptId::number);

  public AttemptId {
    if (number < 1) {
      throw new IllegalArgumentException("attempts count from 1, not " + number);
    }
  }

  /**
   * Reads the canonical text, {@code <job>-<number>}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static AttemptId parse(String text) {
    int dash = text.lastIndexOf('-');
    if (dash < 0) {
      throw new IllegalArgumentException("an attempt id is <job>-<number>, not '" + text + "'");
    }
    return new AttemptId(
        new JobId(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
  }

  @Override
  public int compareTo(AttemptId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return job + "-" + number;
  }
}
