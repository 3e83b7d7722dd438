package io.spillway.capacity.spi;

import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long what was refused is left alone, where somebody told another time than the module's table
 * has. A time is named by what it is for: {@code block-<class>}, {@code block-<class>-<reach>} or
 * {@code block-<class>-<reach>-<market>}, as in {@code block-no-capacity-offering-spot}; the most
 * exact one counts. The reach is {@link io.spillway.scheduler.model.BlockScope#kind()}, the market
 * the one that was asked for. A quota that says its limit is zero has a time of its own, {@code
 * block-quota-limit-of-zero}: waiting does not heal it.
 *
 * <p>A block of zero stays zero: it says that the word was about one request.
 */
final class BlockTimes {
  static final BlockTimes AS_IN_THE_TABLE = new BlockTimes(Map.of());
  static final String PREFIX = "block-";
  static final Duration LONGEST = Duration.ofDays(30);

  private static final String LIMIT_OF_ZERO = PREFIX + "quota-limit-of-zero";
  private static final List<String> CLASSES =
      Stream.of(FailureClass.values()).map(BlockTimes::text).toList();

  /** The kinds of a scope, from narrow to wide. */
  private static final List<String> REACHES =
      List.of("offering", "reservation", "zone", "family", "region", "account");

  private static final Set<String> NAMES = names();

  private final Map<String, Duration> told;

  private BlockTimes(Map<String, Duration> told) {
    this.told = Map.copyOf(told);
  }

  /**
   * @param name with its {@link #PREFIX}
   * @throws IllegalArgumentException naming it
   */
  BlockTimes with(String name, Duration time) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(name + ": there is no such time; " + words());
    }
    Map<String, Duration> all = new TreeMap<>(told);
    all.put(name, Facts.within(name, time, LONGEST));
    return new BlockTimes(all);
  }

  /** The names, for people who wrote another. */
  static String words() {
    return "there are "
        + LIMIT_OF_ZERO
        + " and block-<class>[-<reach>[-<market>]] with the classes "
        + String.join(", ", CLASSES)
        + ", the reaches "
        + String.join(", ", REACHES)
        + " and the markets "
        + Stream.of(CapacityType.values())
            .map(CapacityType::text)
            .collect(Collectors.joining(", "));
  }

  /** The table's word, with these times instead of its own. */
  FailureClassifier over(FailureClassifier table) {
    return told.isEmpty() ? table : failure -> timed(failure, table.classify(failure));
  }

  private CapacityFailure timed(FailureClassifier.Failure failure, CapacityFailure word) {
    Duration time = word.block().isZero() ? null : time(failure, word);
    return time == null ? word : word.blocking(time);
  }

  /** Null where the table's own stays. */
  private Duration time(FailureClassifier.Failure failure, CapacityFailure word) {
    if (word.failureClass() == FailureClass.QUOTA && FailureText.of(failure).limitOfZero()) {
      return told.get(LIMIT_OF_ZERO);
    }
    String byClass = PREFIX + text(word.failureClass());
    String byReach = byClass + '-' + word.scope().kind();
    Duration exact = told.get(byReach + '-' + failure.key().capacityType().text());
    Duration wider = told.getOrDefault(byReach, told.get(byClass));
    return exact == null ? wider : exact;
  }

  private static Set<String> names() {
    List<String> names = new ArrayList<>(List.of(LIMIT_OF_ZERO));
    for (String type : CLASSES) {
      names.add(PREFIX + type);
      for (String reach : REACHES) {
        names.add(PREFIX + type + '-' + reach);
        for (CapacityType market : CapacityType.values()) {
          names.add(PREFIX + type + '-' + reach + '-' + market.text());
        }
      }
    }
    return Set.copyOf(names);
  }

  private static String text(FailureClass type) {
    return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
