package io.spillway.scheduler.model;

/**
 * A job's identity: a ULID, 26 characters of Crockford base 32, so that ids sort by submit time.
 */
public record JobId(String value) implements Comparable<JobId> {
  private static final int LENGTH = 26;
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  /**
   * @throws IllegalArgumentException if the text is not an upper-case ULID
   */
  public JobId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("a job id is a ULID, but this is '" + value + "'");
    }
  }

  /** Whether the text has the form of a job id. */
  public static boolean isValid(String text) {
    if (text.length() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      if (ALPHABET.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(JobId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
