package io.spillway.capacity.spi;

import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A provider's rows in the order of their weight. A refusal is tried against: its own code, unless
 * that code only wraps another; phrases of its prose; codes nested in the message, the weightiest
 * row first; families of codes, so that a new spelling of a known kind is still understood. Rows
 * for billing, quota and permissions stand before capacity, whose words they share ("insufficient
 * funds"). Immutable, any thread.
 */
public final class FailureTable {
  private final List<Row> rows;
  private final Map<String, Integer> byCode;
  private final Map<String, Ruling> wrappers;
  private final List<Phrase> phrases;
  private final List<Family> families;

  private FailureTable(Builder builder) {
    rows = List.copyOf(builder.rows);
    byCode = Map.copyOf(builder.byCode);
    wrappers = Map.copyOf(builder.wrappers);
    phrases = List.copyOf(builder.phrases);
    families = List.copyOf(builder.families);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The table's word, or empty when no row fits. */
  public Optional<CapacityFailure> classify(Failure failure, FailureText text) {
    return ruling(text).map(ruling -> ruling.on(failure, text).of(failure, text));
  }

  private Optional<Ruling> ruling(FailureText text) {
    Integer own = byCode.get(text.code().toLowerCase(Locale.ROOT));
    if (own != null) {
      return Optional.of(rows.get(own).ruling());
    }
    for (Phrase phrase : phrases) {
      if (phrase.fits().test(text)) {
        return Optional.of(phrase.ruling());
      }
    }
    int best = Integer.MAX_VALUE;
    for (String code : text.nested()) {
      Integer row = byCode.get(code.toLowerCase(Locale.ROOT));
      best = row == null ? best : Math.min(best, row);
    }
    if (best != Integer.MAX_VALUE) {
      return Optional.of(rows.get(best).ruling());
    }
    for (Family family : families) {
      if (family.pattern().matcher(text.code()).matches()) {
        return Optional.of(family.ruling());
      }
    }
    return Optional.ofNullable(wrappers.get(text.code().toLowerCase(Locale.ROOT)));
  }

  /** What a row says of a refusal that it fits. */
  @FunctionalInterface
  public interface Ruling {
    Verdict on(Failure failure, FailureText text);
  }

  /**
   * Class, scope and block. A block of zero blocks nothing: the word is about that one request, or
   * about nothing that a launch depends on.
   */
  public record Verdict(FailureClass failureClass, BlockScope scope, Duration block) {
    /**
     * The same as the scheduler takes it. What the open market refuses for want of machines, room
     * under a limit or money says nothing of capacity that is reserved already; what is wrong with
     * an account or a service stops launches there too.
     */
    public CapacityFailure of(Failure failure, FailureText text) {
      BlockScope reach =
          FailureScope.isReserved(failure.key()) || reachesReservations()
              ? scope
              : scope.onOpenMarket();
      return new CapacityFailure(failureClass, reach, block, text.label(), failure.at());
    }

    private boolean reachesReservations() {
      return switch (failureClass) {
        case AUTH, THROTTLED, TRANSIENT -> true;
        case NO_CAPACITY, QUOTA, PRICE_TOO_LOW, INVALID, UNKNOWN -> false;
      };
    }
  }

  /** A ruling that only depends on the key. */
  public static Ruling rule(FailureClass failureClass, FailureScope scope, Duration block) {
    return (failure, text) -> new Verdict(failureClass, scope.of(failure.key()), block);
  }

  private record Row(Ruling ruling) {}

  private record Phrase(Predicate<FailureText> fits, Ruling ruling) {}

  private record Family(Pattern pattern, Ruling ruling) {}

  /** Rows are weighed in the order in which they are added. */
  public static final class Builder {
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, Integer> byCode = new HashMap<>();
    private final Map<String, Ruling> wrappers = new HashMap<>();
    private final List<Phrase> phrases = new ArrayList<>();
    private final List<Family> families = new ArrayList<>();

    private Builder() {}

    /** Codes compared whole, without regard to case. */
    public Builder codes(Ruling ruling, String... codes) {
      rows.add(new Row(ruling));
      for (String code : codes) {
        if (byCode.put(code.toLowerCase(Locale.ROOT), rows.size() - 1) != null) {
          throw new IllegalArgumentException("two rows for the code " + code);
        }
      }
      return this;
    }

    /** Codes that only wrap another; the ruling holds when nothing inside is understood. */
    public Builder wrappers(Ruling otherwise, String... codes) {
      for (String code : codes) {
        wrappers.put(code.toLowerCase(Locale.ROOT), otherwise);
      }
      return this;
    }

    /** Phrases of the provider's prose, in lower case; for refusals whose code says too little. */
    public Builder text(Ruling ruling, String... anyOf) {
      String[] all = anyOf.clone();
      return text(ruling, words -> words.says(all));
    }

    /** Any other test of the words. */
    public Builder text(Ruling ruling, Predicate<FailureText> fits) {
      phrases.add(new Phrase(fits, ruling));
      return this;
    }

    /** All codes that fit the whole pattern, without regard to case. */
    public Builder family(Ruling ruling, String pattern) {
      families.add(new Family(Pattern.compile(pattern, Pattern.CASE_INSENSITIVE), ruling));
      return this;
    }

    public FailureTable build() {
      return new FailureTable(this);
    }
  }
}
