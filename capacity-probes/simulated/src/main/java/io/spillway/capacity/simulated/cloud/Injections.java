package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What a test or an operator forces upon the clouds. Only from the timeline. */
public final class Injections {
  private final Timeline timeline;
  private final List<Forced> refusals = new ArrayList<>();
  private final Map<String, Outage> outages = new HashMap<>();

  Injections(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Refuses the next launches of matching lines, for at most that time. */
  public void refuse(
      Predicate<Line> lines, Kind kind, Behaviour.RefusalMode mode, int times, Duration time) {
    refusals.add(new Forced(lines, kind, mode, times, timeline.now().plus(time)));
  }

  /** The API of an account is out of order for that time. */
  public void outage(String account, OutageKind kind, Duration time) {
    outages.put(account, new Outage(kind, timeline.now().plus(time)));
  }

  Optional<Forced> takeRefusal(Line line) {
    Instant now = timeline.now();
    refusals.removeIf(forced -> forced.left <= 0 || forced.until.isBefore(now));
    for (Forced forced : refusals) {
      if (forced.lines.test(line)) {
        forced.left--;
        return Optional.of(forced);
      }
    }
    return Optional.empty();
  }

  /** What is wrong with that account's API now. */
  public Optional<OutageKind> outageOf(String account) {
    return Optional.ofNullable(outages.get(account))
        .filter(outage -> outage.until.isAfter(timeline.now()))
        .map(Outage::kind);
  }

  /** Why a launch is refused. */
  public enum Kind {
    NO_CAPACITY,
    QUOTA,
    THROTTLED
  }

  /** How an API fails. */
  public enum OutageKind {
    /** Answers 503. */
    UNAVAILABLE,
    /** Answers 429. */
    THROTTLED,
    /** Answers 403. */
    DENIED,
    /** Does not answer. */
    SILENT
  }

  private record Outage(OutageKind kind, Instant until) {}

  /** A forced refusal with what is left of it. */
  static final class Forced {
    private final Predicate<Line> lines;
    private final Kind kind;
    private final Behaviour.RefusalMode mode;
    private final Instant until;
    private int left;

    private Forced(
        Predicate<Line> lines, Kind kind, Behaviour.RefusalMode mode, int times, Instant until) {
      this.lines = lines;
      this.kind = kind;
      this.mode = mode;
      this.left = times;
      this.until = until;
    }

    Refusal of(Line line) {
      return switch (kind) {
        case NO_CAPACITY -> Refusal.noCapacity(line);
        case QUOTA -> Refusal.quota(line);
        case THROTTLED -> Refusal.throttled(line);
      };
    }

    Behaviour.RefusalMode mode() {
      return mode;
    }
  }
}
