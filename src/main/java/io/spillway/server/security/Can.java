package io.spillway.server.security;

/** Capabilities that calls demand; a role is a set of them. */
public final class Can {
  public static final String READ = "read";
  public static final String SUBMIT = "submit";
  public static final String OPERATE = "operate";
  public static final String ADMINISTER = "administer";
  public static final String SEND_EVENTS = "send-events";

  private Can() {}
}
