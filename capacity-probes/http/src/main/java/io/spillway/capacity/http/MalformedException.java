package io.spillway.capacity.http;

/** An answer that is not what its interface says; the message names the place, not the content. */
public final class MalformedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedException(String message) {
    super(message);
  }
}
