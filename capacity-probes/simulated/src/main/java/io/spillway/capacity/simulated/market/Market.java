package io.spillway.capacity.simulated.market;

import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All lines, what is held of each, and what a test forced upon them. Only from the timeline. */
public final class Market {
  private final Timeline timeline;
  private final MarketSettings settings;
  private final Instant opened;
  private final Map<Line, Entry> entries = new TreeMap<>(Comparator.comparing(Line::text));

  public Market(Timeline timeline, MarketSettings settings) {
    this.timeline = timeline;
    this.settings = settings;
    this.opened = timeline.now();
  }

  /** Market time: real time since the opening, sped up. */
  public Instant marketTime() {
    long real = Duration.between(opened, timeline.now()).toMillis();
    return opened.plusMillis(Math.round(real * settings.speed()));
  }

  /** Puts a listing on sale, once; a listing already there stays as it is. */
  public void sell(Listing listing) {
    listing
        .onDemand()
        .ifPresent(
            price ->
                put(
                    listing,
                    CapacityType.ON_DEMAND,
                    Course.constant(settings.onDemandNodes(), price)));
    if (listing.spot().isPresent()) {
      put(listing, CapacityType.SPOT, new SeededCourse(settings, opened, listing));
    }
  }

  /** Puts a recorded zone on sale, in place of anything sold there before. */
  public void replay(Traces traces) {
    for (Traces.Zone zone : traces.zones()) {
      Listing listing = zone.listing();
      entries.remove(listing.line(CapacityType.SPOT));
      put(listing, CapacityType.SPOT, zone.course(opened));
      entries.remove(listing.line(CapacityType.ON_DEMAND));
      listing
          .onDemand()
          .ifPresent(
              price ->
                  put(
                      listing,
                      CapacityType.ON_DEMAND,
                      Course.constant(settings.onDemandNodes(), price)));
    }
  }

  private void put(Listing listing, CapacityType type, Course course) {
    entries.putIfAbsent(listing.line(type), new Entry(listing, course));
  }

  /** Lines of a provider, in their canonical order. */
  public List<Line> lines(String provider) {
    return entries.keySet().stream().filter(line -> line.provider().equals(provider)).toList();
  }

  public List<Line> lines() {
    return List.copyOf(entries.keySet());
  }

  /** The shape of that type in any place where it is sold. */
  public Optional<NodeShape> shape(String provider, String instanceType) {
    return entries.keySet().stream()
        .filter(l -> l.provider().equals(provider) && l.instanceType().equals(instanceType))
        .findFirst()
        .map(line -> entries.get(line).listing.shape());
  }

  public Optional<Listing> listing(Line line) {
    return Optional.ofNullable(entries.get(line)).map(entry -> entry.listing);
  }

  /** Nodes that could be held of that line now; 0 for a line that is not sold. */
  public int capacity(Line line) {
    Entry entry = entries.get(line);
    if (entry == null) {
      return 0;
    }
    if (entry.forcedUntil.isAfter(timeline.now())) {
      return entry.forcedNodes;
    }
    return entry.course.nodes(marketTime());
  }

  public int held(Line line) {
    Entry entry = entries.get(line);
    return entry == null ? 0 : entry.held;
  }

  /** Nodes that could be started now. */
  public int free(Line line) {
    return Math.max(0, capacity(line) - held(line));
  }

  public Optional<UsdPerGpuHour> price(Line line) {
    return Optional.ofNullable(entries.get(line)).map(entry -> price(entry));
  }

  private UsdPerGpuHour price(Entry entry) {
    return entry.forcedPriceUntil.isAfter(timeline.now())
        ? entry.forcedPrice
        : entry.course.price(marketTime());
  }

  /** Counts nodes as held (or given back, when negative). */
  public void hold(Line line, int nodes) {
    Entry entry = entries.get(line);
    if (entry != null) {
      entry.held += nodes;
    }
  }

  /** Whatever the course says: that many nodes for that long. */
  public void force(Line line, int nodes, Duration time) {
    Entry entry = entries.get(line);
    if (entry != null) {
      entry.forcedNodes = nodes;
      entry.forcedUntil = timeline.now().plus(time);
    }
  }

  /** Whatever the course says: that price for that long. */
  public void forcePrice(Line line, UsdPerGpuHour price, Duration time) {
    Entry entry = entries.get(line);
    if (entry != null) {
      entry.forcedPrice = price;
      entry.forcedPriceUntil = timeline.now().plus(time);
    }
  }

  private static final class Entry {
    private final Listing listing;
    private final Course course;
    private int held;
    private int forcedNodes;
    private Instant forcedUntil = Instant.MIN;
    private UsdPerGpuHour forcedPrice = UsdPerGpuHour.ZERO;
    private Instant forcedPriceUntil = Instant.MIN;

    private Entry(Listing listing, Course course) {
      this.listing = listing;
      this.course = course;
    }
  }
}
