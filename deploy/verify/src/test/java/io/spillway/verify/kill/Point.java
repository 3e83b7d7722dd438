package io.spillway.verify.kill;

import java.util.SplittableRandom;

/**
 * Where the server can be told to die; its own names.
 *
 * @see Killer
 */
enum Point {
  SUBMIT_BEFORE_COMMIT(3, 20, false),
  SUBMIT_AFTER_COMMIT(3, 20, false),
  COMMIT_BEFORE(10, 60, true),
  COMMIT_AFTER(10, 60, true),
  LAUNCH_SENT(3, 12, false),
  ACK_RECEIVED(8, 40, false),
  KAFKA_CONSUMED(1, 2, false),
  MEMO_BEFORE(1, 1, true),
  MEMO_AFTER(1, 1, true),
  TAKEOVER(1, 1, true);

  private final int least;
  private final int most;
  private final boolean leaderOnly;

  Point(int least, int most, boolean leaderOnly) {
    this.least = least;
    this.most = most;
    this.leaderOnly = leaderOnly;
  }

  String text() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  /** Only the replica that leads comes there. */
  boolean leaderOnly() {
    return leaderOnly;
  }

  /** This point, the n-th time that it is reached. */
  String drawn(SplittableRandom random) {
    return text() + ":" + (least + random.nextInt(most - least + 1));
  }
}
