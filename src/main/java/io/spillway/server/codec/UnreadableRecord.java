package io.spillway.server.codec;

/** Something stored cannot be read (or written) by this version: a bug or a skipped upgrade. */
public final class UnreadableRecord extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableRecord(String message, Throwable cause) {
    super(message, cause);
  }
}
