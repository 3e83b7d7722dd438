package io.spillway.server.loop;

import java.util.Locale;

/** Where the kill audit ends the process, between two steps that must not depend on each other. */
public enum CrashPoint {
  /** A submit's rows are sent, its commit is not. */
  SUBMIT_BEFORE_COMMIT,
  /** A submit is durable and not answered. */
  SUBMIT_AFTER_COMMIT,
  /** A plan is decided and not sent. */
  COMMIT_BEFORE,
  /** A plan is durable and not adopted. */
  COMMIT_AFTER,
  /** An agent was sent a start. */
  LAUNCH_SENT,
  /** An agent's report is received and not durable. */
  ACK_RECEIVED,
  /** Records were polled and are not durable. */
  KAFKA_CONSUMED,
  MEMO_BEFORE,
  MEMO_AFTER,
  /** The epoch is ours, nothing is caught up. */
  TAKEOVER;

  /** The name in {@code spillway.crash-at}: {@code commit-before}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
