package io.spillway.agent.kube;

/** The API server does not answer, or not now: the same call again, later. */
public final class ClusterAwayException extends Exception {
  private static final long serialVersionUID = 1L;

  public ClusterAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
