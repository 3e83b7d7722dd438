package io.spillway.capacity.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Times of a provider that its documentation leaves open or may change: how long it warns before it
 * takes capacity back, and how long what it refused is left alone. A module says the usual ones;
 * {@code spillway.providers.<provider>.facts.<name>} tells others. Immutable, any thread.
 */
public final class Facts {
  /** How long spot capacity is warned; zero where nothing is promised. Every provider has it. */
  public static final String SPOT_NOTICE = "spot-notice";

  private static final Duration LONGEST_NOTICE = Duration.ofDays(1);

  private final String provider;
  private final SortedMap<String, Duration> notices;
  private final BlockTimes blocks;

  private Facts(String provider, Map<String, Duration> notices, BlockTimes blocks) {
    this.provider = provider;
    this.notices = Collections.unmodifiableSortedMap(new TreeMap<>(notices));
    this.blocks = blocks;
  }

  /**
   * The usual ones; block times are those of the module's table.
   *
   * @param spotNotice as {@link #SPOT_NOTICE}
   */
  public static Facts of(String provider, Duration spotNotice) {
    return new Facts(provider, Map.of(SPOT_NOTICE, spotNotice), BlockTimes.AS_IN_THE_TABLE);
  }

  /** The same and another notice of the module. */
  public Facts and(String name, Duration notice) {
    Map<String, Duration> all = new TreeMap<>(notices);
    all.put(name, notice);
    return new Facts(provider, all, blocks);
  }

  /**
   * The same with what somebody told.
   *
   * @throws IllegalArgumentException naming a fact that this provider does not have, or a time that
   *     cannot be
   */
  public Facts with(Map<String, Duration> told) {
    Map<String, Duration> others = new TreeMap<>(notices);
    BlockTimes times = blocks;
    for (Map.Entry<String, Duration> fact : new TreeMap<>(told).entrySet()) {
      String name = fact.getKey();
      if (notices.containsKey(name)) {
        others.put(name, within(name, fact.getValue(), LONGEST_NOTICE));
      } else if (name.startsWith(BlockTimes.PREFIX)) {
        times = times.with(name, fact.getValue());
      } else {
        throw new IllegalArgumentException(
            name
                + ": there is no such fact of "
                + provider
                + "; there are "
                + String.join(", ", notices.keySet())
                + " and block times; "
                + BlockTimes.words());
      }
    }
    return new Facts(provider, others, times);
  }

  /** Notices by name, for people and for whoever must be complete. */
  public SortedMap<String, Duration> notices() {
    return notices;
  }

  /**
   * @param name one of the module's own
   */
  public Duration notice(String name) {
    Duration notice = notices.get(name);
    if (notice == null) {
      throw new IllegalArgumentException(provider + " has no notice " + name);
    }
    return notice;
  }

  /** The module's table, with the block times that were told instead of its own. */
  public FailureClassifier over(FailureClassifier table) {
    return blocks.over(table);
  }

  static Duration within(String name, Duration time, Duration longest) {
    if (time.isNegative() || time.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          name + ": " + time + " is not between 0 and " + longest.toDays() + " d");
    }
    return time;
  }
}
