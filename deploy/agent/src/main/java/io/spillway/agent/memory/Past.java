package io.spillway.agent.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.time.Timeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The fates of attempts, in segments: ConfigMaps of a few hundred fates each, of which only the
 * newest is written. What waits together is written together, as far as one map holds it. A fate
 * counts in memory at once, so that a repeated start finds it; {@code durable} runs once it would
 * survive the agent. Segments whose youngest fate is older than {@link #KEPT}, far beyond the
 * longest time that a command can be on its way, are deleted; and the oldest before that, once all
 * together are larger than {@link #MOST_BYTES}. Only from the timeline.
 */
public final class Past {
  private static final Logger LOG = Logger.getLogger(Past.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PART = "-past-";
  private static final int SEGMENT = 300;

  /**
   * Of 1 MiB, which the API server takes: room for one more fate with the codes of a large gang.
   */
  private static final int SEGMENT_BYTES = 512 << 10;

  /** Some 50,000 to 200,000 fates. They lie in the heap too, which is to stay under 256 MB. */
  static final long MOST_BYTES = 32L << 20;

  private static final int MAX_WORDS = 512;
  private static final Duration KEPT = Duration.ofDays(30);

  private final Timeline timeline;
  private final Lanes lanes;
  private final MemoryMap maps;
  private final Map<String, Fate> fates;
  private final TreeMap<Integer, Segment> segments;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private final List<Runnable> behind = new ArrayList<>();
  private boolean writing;

  /**
   * What one map holds.
   *
   * @param attempts whose fates; a later segment may know newer ones
   * @param bytes of keys and values, or more
   * @param youngest seconds since 1970
   */
  public record Segment(List<String> attempts, int bytes, long youngest) {}

  /** What was kept, read before the timeline gets it. */
  public record Kept(Map<String, Fate> fates, SortedMap<Integer, Segment> segments) {}

  private record Waiting(Fate fate, List<Runnable> told) {}

  public Past(Timeline timeline, Lanes lanes, MemoryMap maps, Kept kept) {
    this.timeline = timeline;
    this.lanes = lanes;
    this.maps = maps;
    this.fates = new HashMap<>(kept.fates());
    this.segments = new TreeMap<>(kept.segments());
  }

  /** Reads all segments. Blocks. */
  public static Kept load(MemoryMap maps) throws ClusterAwayException {
    Map<String, Fate> fates = new HashMap<>();
    SortedMap<Integer, Segment> segments = new TreeMap<>();
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
          int bytes = 0;
          long youngest = 0;
          for (Map.Entry<String, String> entry : data.entrySet()) {
            bytes += size(entry.getKey(), entry.getValue());
            Optional<Fate> fate = read(entry.getKey(), entry.getValue());
            if (fate.isPresent()) {
              fates.put(entry.getKey(), fate.get());
              youngest = Math.max(youngest, fate.get().at());
            }
          }
          segments.put(number, new Segment(List.copyOf(data.keySet()), bytes, youngest));
        });
    return new Kept(fates, segments);
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
    Waiting before = waiting.remove(attempt);
    List<Runnable> told = new ArrayList<>(before == null ? List.of() : before.told());
    told.add(durable);
    waiting.put(attempt, new Waiting(kept, told));
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
    int number = segments.isEmpty() ? 1 : segments.lastKey();
    Segment open = segments.getOrDefault(number, new Segment(List.of(), 0, 0));
    if (open.attempts().size() >= SEGMENT || open.bytes() >= SEGMENT_BYTES) {
      number++;
      open = new Segment(List.of(), 0, 0);
    }
    Map<String, String> batch = new LinkedHashMap<>();
    List<Runnable> mine = new ArrayList<>();
    int bytes = open.bytes();
    Iterator<Map.Entry<String, Waiting>> next = waiting.entrySet().iterator();
    while (next.hasNext()
        && bytes < SEGMENT_BYTES
        && open.attempts().size() + batch.size() < SEGMENT) {
      Map.Entry<String, Waiting> one = next.next();
      String text = text(one.getValue().fate());
      batch.put(one.getKey(), text);
      mine.addAll(one.getValue().told());
      bytes += size(one.getKey(), text);
      next.remove();
    }
    store(number, bytes, batch, mine);
  }

  private void store(int number, int bytes, Map<String, String> batch, List<Runnable> told) {
    lanes.call(
        "past",
        () ->
            List.copyOf(
                maps.change(
                        PART + number,
                        data -> {
                          data.putAll(batch);
                          return data;
                        })
                    .keySet()),
        attempts -> {
          segments.put(number, new Segment(attempts, bytes, timeline.now().getEpochSecond()));
          writing = false;
          told.forEach(Runnable::run);
          write();
          runBehind();
          forget();
        });
  }

  private static int size(String attempt, String text) {
    return attempt.length() + text.getBytes(StandardCharsets.UTF_8).length;
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
    boolean tooMany = segments.values().stream().mapToLong(Segment::bytes).sum() > MOST_BYTES;
    if (oldest.getValue().youngest() < before || tooMany) {
      segments.remove(oldest.getKey());
      Set<String> newer = new HashSet<>(waiting.keySet());
      segments.values().forEach(segment -> newer.addAll(segment.attempts()));
      oldest.getValue().attempts().stream()
          .filter(attempt -> !newer.contains(attempt))
          .forEach(fates::remove);
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
