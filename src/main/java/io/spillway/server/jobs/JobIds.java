package io.spillway.server.jobs;

import io.spillway.scheduler.model.JobId;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.InstantSource;

/**
 * Makes job ids: ULIDs, 48 bits of milliseconds and 80 random bits. Within a millisecond the random
 * part is counted up, so that ids made here rise strictly.
 */
@ApplicationScoped
class JobIds {
  private static final char[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();

  private final SecureRandom random = new SecureRandom();
  private final InstantSource clock = InstantSource.system();
  private long lastMillis = -1;
  private long high;
  private long low;

  synchronized JobId next() {
    long millis = Math.max(clock.millis(), lastMillis);
    if (millis == lastMillis) {
      low = (low + 1) & 0xFF_FFFF_FFFFL;
      high = low == 0 ? (high + 1) & 0xFF_FFFF_FFFFL : high;
    } else {
      lastMillis = millis;
      high = random.nextLong() & 0xFF_FFFF_FFFFL;
      low = random.nextLong() & 0xFF_FFFF_FFFFL;
    }
    char[] text = new char[26];
    write(text, 0, 10, millis);
    write(text, 10, 8, high);
    write(text, 18, 8, low);
    return new JobId(new String(text));
  }

  /** Five bits a character, the most significant first. */
  private static void write(char[] text, int from, int length, long bits) {
    for (int i = 0; i < length; i++) {
      text[from + i] = ALPHABET[(int) (bits >>> (5 * (length - 1 - i))) & 31];
    }
  }
}
