package io.spillway.agent.kube;

/** The API server answered and will not: asking again is of no use. */
public final class RefusedByClusterException extends Exception {
  private static final long serialVersionUID = 1L;

  public RefusedByClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
