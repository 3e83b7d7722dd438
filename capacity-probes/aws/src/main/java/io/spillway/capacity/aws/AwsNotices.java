package io.spillway.capacity.aws;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How long EC2 warns before it ends an instance.
 *
 * @param spot of a spot instance (EC2 user guide); hibernation starts at once
 * @param reservation of an instance in a reservation that is taken back; EC2's events do not tell
 * @param block of the instances of a Capacity Block, which end 30 min before it (EC2 user guide)
 */
record AwsNotices(Duration spot, Duration reservation, Duration block) {
  static final AwsNotices USUAL =
      new AwsNotices(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(10));

  /**
   * @param facts those that differ
   * @throws IllegalArgumentException naming a fact that is none of these
   */
  static AwsNotices of(Map<String, Duration> facts) {
    Map<String, Duration> left = new HashMap<>(facts);
    AwsNotices notices =
        new AwsNotices(
            taken(left, "spot-notice", USUAL.spot),
            taken(left, "reservation-notice", USUAL.reservation),
            taken(left, "block-notice", USUAL.block));
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          left.keySet().iterator().next()
              + ": there is no such fact of aws; there are spot-notice, reservation-notice and"
              + " block-notice");
    }
    return notices;
  }

  private static Duration taken(Map<String, Duration> left, String name, Duration usual) {
    Duration told = left.remove(name);
    return told == null ? usual : told;
  }
}
