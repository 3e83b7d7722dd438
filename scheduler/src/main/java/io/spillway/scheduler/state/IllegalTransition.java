package io.spillway.scheduler.state;

/** An event that its subject's state does not allow: a bug of whoever emitted it. */
public final class IllegalTransition extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  IllegalTransition(Object id, String from, String to) {
    super(id + " cannot go from " + from + " to " + to);
  }
}
