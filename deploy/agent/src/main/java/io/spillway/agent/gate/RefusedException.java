package io.spillway.agent.gate;

/** The gate does not let a manifest in; the message says why, for people. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
