package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.Event;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The fingerprint by which two decisions are compared. */
public final class PlanHash {
  private PlanHash() {}

  /** SHA-256, in hexadecimal, of the events' canonical texts, each ended by a line feed. */
  public static String of(List<Event> events) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Event event : events) {
        digest.update(event.toString().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
