package io.spillway.server.gateway;

/** A frame broke the protocol; the message says how, for the agent's operator. */
final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedFrameException(String detail) {
    super(detail);
  }
}
