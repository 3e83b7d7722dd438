package io.spillway.agent.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The fates of attempts, in segments: ConfigMaps of a few hundred fates each, of which only the
 * newest is written. What waits together is written together. A fate counts in memory at once, so
 * that a repeated start finds it; {@code durable} runs once it would survive the agent. Segments
 * whose youngest fate is older than {@link #KEPT}, far beyond the longest time that a command can
 * be on its way, are deleted. Only from the timeline.
 */
public final class Past {
  private static final Logger LOG = Logger.getLogger(Past.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PART = "-past-";
  private static final int SEGMENT = 300;
  private static final int MAX_WORDS = 512;
  private static final Duration KEPT = Duration.ofDays(30);

  private final Timeline timeline;
  private final Lanes lanes;
  private final MemoryMap maps;
  private final Map<String, Fate> fates;
  private final TreeMap<Integer, Segment> segments;
  private final Map<String, Fate> waiting = new LinkedHashMap<>();
  private final List<Runnable> told = new ArrayList<>();
  private final List<Runnable> behind = new ArrayList<>();
  private boolean writing;

  private record Segment(int fates, long youngest) {}

  /** What was kept, read before the timeline gets it. */
  public record Kept(
      Map<String, Fate> fates, Map<Integer, Integer> sizes, Map<Integer, Long> ages) {}

  public Past(Timeline timeline, Lanes lanes, MemoryMap maps, Kept kept) {
    this.timeline = timeline;
    this.lanes = lanes;
    this.maps = maps;
    this.fates = new HashMap<>(kept.fates());
    this.segments = new TreeMap<>();
    kept.sizes().forEach((n, size) -> segments.put(n, new Segment(size, kept.ages().get(n))));
  }

  /** Reads all segments. Blocks. */
  public static Kept load(MemoryMap maps) throws ClusterAwayException {
    Map<String, Fate> fates = new HashMap<>();
    Map<Integer, Integer> sizes = new HashMap<>();
    Map<Integer, Long> ages = new HashMap<>();
    // Later segments know better.
    Map<Integer, Map<String, String>> inOrder = new TreeMap<>();
    maps.all(PART)
        .forEach(
            (number, data) -> {
              if (number.matches("\\d{1,9}")) {
                inOrder.put(Integer.valueOf(number), data);
              }
            });
    inOrder.forEach(
        (number, data) -> {
          long youngest = 0;
          for (Map.Entry<String, String> entry : data.entrySet()) {
            Optional<Fate> fate = read(entry.getKey(), entry.getValue());
            if (fate.isPresent()) {
              fates.put(entry.getKey(), fate.get());
              youngest = Math.max(youngest, fate.get().at());
            }
          }
          sizes.put(number, data.size());
          ages.put(number, youngest);
        });
    return new Kept(fates, sizes, ages);
  }

  private static Optional<Fate> read(String attempt, String text) {
    try {
      return Optional.of(JSON.readValue(text, Fate.class));
    } catch (JsonProcessingException e) {
      LOG.log(Level.SEVERE, e, () -> "the fate of " + attempt + " cannot be read");
      return Optional.empty();
    }
  }

  public Optional<Fate> of(String attempt) {
    return Optional.ofNullable(fates.get(attempt));
  }

  /** Whether all that was put is durable. */
  public boolean settled() {
    return !writing && waiting.isEmpty();
  }

  /** The ends and refusals of that time and later, in no order. */
  public Map<String, Fate> since(long seconds) {
    Map<String, Fate> found = new HashMap<>();
    fates.forEach(
        (attempt, fate) -> {
          boolean word = fate.kind() == Fate.Kind.ENDED || fate.kind() == Fate.Kind.REFUSED;
          if (word && fate.at() >= seconds) {
            found.put(attempt, fate);
          }
        });
    return found;
  }

  /** Keeps the fate, in place of an older one of the attempt. */
  public void put(String attempt, Fate fate, Runnable durable) {
    Fate kept = shortened(fate);
    fates.put(attempt, kept);
    waiting.put(attempt, kept);
    told.add(durable);
    write();
  }

  /** Runs once all that was put is durable. */
  public void then(Runnable durable) {
    if (!writing && waiting.isEmpty()) {
      durable.run();
    } else {
      behind.add(durable);
    }
  }

  private void runBehind() {
    if (!writing && waiting.isEmpty()) {
      List<Runnable> due = List.copyOf(behind);
      behind.clear();
      due.forEach(Runnable::run);
    }
  }

  private static Fate shortened(Fate fate) {
    return fate.words().length() <= MAX_WORDS
        ? fate
        : new Fate(
            fate.kind(),
            fate.epoch(),
            fate.at(),
            fate.cause(),
            fate.exitCodes(),
            fate.ranMillis(),
            fate.words().substring(0, MAX_WORDS));
  }

  private void write() {
    if (writing || waiting.isEmpty()) {
      return;
    }
    writing = true;
    Map<String, String> batch = new LinkedHashMap<>();
    waiting.forEach((attempt, fate) -> batch.put(attempt, text(fate)));
    waiting.clear();
    List<Runnable> mine = List.copyOf(told);
    told.clear();
    int number = segments.isEmpty() ? 1 : segments.lastKey();
    int segment =
        segments.isEmpty() || segments.lastEntry().getValue().fates() >= SEGMENT
            ? number + (segments.isEmpty() ? 0 : 1)
            : number;
    lanes.call(
        "past",
        () ->
            maps.change(
                    PART + segment,
                    data -> {
                      data.putAll(batch);
                      return data;
                    })
                .size(),
        size -> {
          segments.put(segment, new Segment(size, timeline.now().getEpochSecond()));
          writing = false;
          mine.forEach(Runnable::run);
          write();
          runBehind();
          forget();
        });
  }

  private static String text(Fate fate) {
    try {
      return JSON.writeValueAsString(fate);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a fate is always JSON", e);
    }
  }

  private void forget() {
    if (segments.size() < 2) {
      return;
    }
    long before = timeline.now().minus(KEPT).getEpochSecond();
    Map.Entry<Integer, Segment> oldest = segments.firstEntry();
    if (oldest.getValue().youngest() < before) {
      segments.remove(oldest.getKey());
      fates.values().removeIf(fate -> fate.at() < before);
      lanes.call(
          "past",
          () -> {
            maps.delete(PART + oldest.getKey());
            return true;
          },
          done -> forget());
    }
  }
}
