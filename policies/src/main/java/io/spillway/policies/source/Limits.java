package io.spillway.policies.source;

/**
 * Sizes beyond which a file is refused unread. They are far above what a person writes and far
 * below what hurts: the largest set of the examples has 8 KB and depth 7.
 */
final class Limits {
  static final int MAX_FILE_CHARS = 1 << 20;
  static final int MAX_SET_CHARS = 4 << 20;
  static final int MAX_DEPTH = 24;
  static final int MAX_FILES = 2_000;
  static final int MAX_DOCUMENTS = 10_000;

  private Limits() {}
}
