package io.spillway.server.security;

import java.util.Optional;
import java.util.Set;

/** What a token or claim names. */
public enum Role {
  /** Sees everything, or its queues only if it has some. */
  VIEWER("viewer"),
  /** Sees and touches the jobs of its own queues. */
  SUBMITTER("submitter"),
  /** Touches every job; pauses, blocks and cordons. */
  OPERATOR("operator"),
  /** Everything: policies and cluster tokens too. */
  ADMIN("admin"),
  /** Hands in provider events, and sees nothing. */
  EVENT_SOURCE("event-source");

  private final String text;

  Role(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** What it can do, by the names of {@link Can}. */
  public Set<String> capabilities() {
    return switch (this) {
      case VIEWER -> Set.of(Can.READ);
      case SUBMITTER -> Set.of(Can.READ, Can.SUBMIT);
      case OPERATOR -> Set.of(Can.READ, Can.SUBMIT, Can.OPERATE);
      case ADMIN -> Set.of(Can.READ, Can.SUBMIT, Can.OPERATE, Can.ADMINISTER, Can.SEND_EVENTS);
      case EVENT_SOURCE -> Set.of(Can.SEND_EVENTS);
    };
  }

  public static Optional<Role> of(String text) {
    for (Role role : values()) {
      if (role.text.equals(text)) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }
}
