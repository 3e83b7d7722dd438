package io.spillway.scheduler.state;

/** The 64-bit hash of one entry's canonical text; entries' hashes are summed to a digest. */
final class Fingerprint {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Fingerprint() {}

  /** FNV-1a 64 over {@code table|key|value}, then mixed so that a sum of hashes spreads well. */
  static long of(String table, Object key, Object value) {
    long hash = fold(FNV_OFFSET, table);
    hash = fold(hash * FNV_PRIME ^ '|', key.toString());
    hash = fold(hash * FNV_PRIME ^ '|', value.toString());
    return mix(hash);
  }

  private static long fold(long start, String text) {
    long hash = start;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }

  /** The 64-bit finaliser of MurmurHash3 (public domain). */
  private static long mix(long value) {
    long hash = value;
    hash ^= hash >>> 33;
    hash *= 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    hash *= 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
