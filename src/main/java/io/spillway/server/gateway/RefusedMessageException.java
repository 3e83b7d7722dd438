package io.spillway.server.gateway;

/** One message says what cannot be; the text says why, for the agent's operator. */
final class RefusedMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedMessageException(String detail) {
    super(detail);
  }
}
