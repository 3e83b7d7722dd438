package io.spillway.server.board;

import io.spillway.capacity.spi.CapacityProvider.WayIn;
import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.market.Pricing;
import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.OfferingStatus;
import io.spillway.scheduler.state.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The market as one look at the state shows it: every offering that can be launched, and what is
 * sold beside it that cannot, with what to install to use it and whether it would have been the
 * cheapest of its GPU model. A pool has no part in that comparison: it is paid for anyway.
 */
public final class MarketBoard {
  private static final int NAMED = 3;

  /** An unchanged market is told again after half an hour: what was not told since is not there. */
  private static final Duration FORGOTTEN = Duration.ofHours(1);

  private final View view;
  private final Instant now;
  private final Function<String, WayIn> wayIn;
  private final Function<MarketKey, Optional<Instant>> lastSeen;
  private final Pricing pricing;
  private final List<OfferingStatus> offerings;
  private final List<Observation> unlaunchable;
  private final Map<GpuModel, UsdPerGpuHour> cheapestLaunchable = new HashMap<>();
  private final Map<GpuModel, UsdPerGpuHour> cheapestElsewhere = new HashMap<>();

  /**
   * @param wayIn what a provider's machines need to become nodes, by its name
   * @param lastSeen when a probe last saw it, whether that was told to the scheduler or not
   */
  public MarketBoard(
      View view,
      Instant now,
      Function<String, WayIn> wayIn,
      Function<MarketKey, Optional<Instant>> lastSeen) {
    this.view = view;
    this.now = now;
    this.wayIn = wayIn;
    this.lastSeen = lastSeen;
    this.pricing =
        new Pricing(view.policies().priceOverrides(), CoreSettings.DEFAULT.blocks().prices());
    this.offerings = view.offerings(now);
    this.unlaunchable = view.unlaunchable();
    compare();
  }

  private void compare() {
    for (OfferingStatus status : offerings) {
      if (status.id().pool().isEmpty() && status.block().isEmpty()) {
        status
            .observation()
            .flatMap(this::usable)
            .ifPresent(
                price ->
                    cheapestLaunchable.merge(
                        status.observation().get().shape().gpu(), price, MarketBoard::lower));
      }
    }
    for (Observation seen : unlaunchable) {
      usable(seen)
          .ifPresent(
              price -> cheapestElsewhere.merge(seen.shape().gpu(), price, MarketBoard::lower));
    }
  }

  private static UsdPerGpuHour lower(UsdPerGpuHour a, UsdPerGpuHour b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  /** The price that something could be placed by, were it launchable. */
  private Optional<UsdPerGpuHour> usable(Observation seen) {
    boolean forgotten = seenAt(seen).isBefore(now.minus(FORGOTTEN));
    return forgotten || seen.availability() == Availability.UNAVAILABLE
        ? Optional.empty()
        : pricing.of(seen.key(), Optional.of(seen), now) instanceof Quote.Priced priced
            ? Optional.of(priced.price())
            : Optional.empty();
  }

  List<OfferingAnswer> lines() {
    List<OfferingAnswer> lines = new ArrayList<>();
    for (OfferingStatus status : offerings) {
      lines.add(
          OfferingAnswer.of(
              status,
              status.observation().map(this::seenAt),
              status.id().pool().isPresent()
                  ? Optional.empty()
                  : status.key().map(key -> pricing.of(key, status.observation(), now)),
              view.failedLately(status.id())));
    }
    unlaunchable.forEach(seen -> lines.add(line(seen)));
    return lines;
  }

  /**
   * What is sold for less, would take a node of the shape, and cannot be launched: cheapest first,
   * at most {@value #NAMED}.
   *
   * @param than the best price that the job could have now; empty = it can be placed nowhere
   */
  public List<OfferingAnswer> cheaperElsewhere(JobShape shape, Optional<UsdPerGpuHour> than) {
    return unlaunchable.stream()
        .filter(seen -> fits(seen, shape))
        .filter(seen -> usable(seen).filter(price -> below(price, shape, than)).isPresent())
        .sorted(Comparator.comparing(seen -> usable(seen).orElseThrow()))
        .limit(NAMED)
        .map(this::line)
        .toList();
  }

  private static boolean below(UsdPerGpuHour price, JobShape shape, Optional<UsdPerGpuHour> than) {
    Optional<UsdPerGpuHour> most = shape.constraints().maxPricePerGpuHour();
    return than.map(other -> price.compareTo(other) < 0).orElse(true)
        && most.map(cap -> price.compareTo(cap) <= 0).orElse(true);
  }

  /** By what an observation tells; the cluster that it lacks would have to serve the rest. */
  private static boolean fits(Observation seen, JobShape shape) {
    NodeShape node = seen.shape();
    JobShape.Constraints only = shape.constraints();
    return shape.gpus().contains(node.gpu())
        && node.gpus() >= shape.gpusPerNode()
        && (node.cpus() == 0 || node.cpus() >= shape.cpusPerNode())
        && (node.memoryGiB() == 0 || node.memoryGiB() >= shape.memoryGiBPerNode())
        && only.clusters().isEmpty()
        && only.pools().isEmpty()
        && (only.providers().isEmpty() || only.providers().contains(seen.key().provider()))
        && (only.regions().isEmpty() || only.regions().contains(seen.key().region()));
  }

  private OfferingAnswer line(Observation seen) {
    return OfferingAnswer.notLaunchable(
        seen,
        seenAt(seen),
        pricing.of(seen.key(), Optional.of(seen), now),
        view.block(seen.key(), now),
        notLaunchable(seen),
        now);
  }

  private OfferingAnswer.NotLaunchable notLaunchable(Observation seen) {
    GpuModel gpu = seen.shape().gpu();
    Optional<UsdPerGpuHour> price = usable(seen);
    Optional<UsdPerGpuHour> here = Optional.ofNullable(cheapestLaunchable.get(gpu));
    boolean cheapest =
        price
            .filter(p -> p.equals(cheapestElsewhere.get(gpu)))
            .filter(p -> here.map(other -> p.compareTo(other) < 0).orElse(true))
            .isPresent();
    WayIn way = wayIn.apply(seen.key().provider());
    return new OfferingAnswer.NotLaunchable(
        way.possible() ? use(seen.key()) : "nothing that can be installed makes it launchable",
        way.words(),
        cheapest,
        here.map(UsdPerGpuHour::dollars));
  }

  /** While rounds see it unchanged it stays fresh; once they fail it ages. */
  private Instant seenAt(Observation told) {
    return lastSeen
        .apply(told.key())
        .filter(at -> at.isAfter(told.observedAt()))
        .orElseGet(told::observedAt);
  }

  /** The policy document to write, by what there is already. */
  private String use(MarketKey key) {
    List<String> there =
        view.policies().clusters().values().stream()
            .filter(cluster -> joins(cluster, key))
            .map(cluster -> cluster.name().value())
            .toList();
    String what =
        key.instanceType() + " (" + key.capacityType().text() + ", zone " + key.zone() + ")";
    String where = "account " + key.account() + " in " + key.region();
    if (there.isEmpty()) {
      return "add a Cluster with provider "
          + key.provider()
          + " and "
          + where
          + ", install its agent (POST /api/v1/clusters answers the helm line), and add "
          + what
          + to(key)
          + " it";
    }
    return "add " + what + to(key) + " cluster " + String.join(" or ", there) + " (" + where + ")";
  }

  private static String to(MarketKey key) {
    return key.capacityType() == CapacityType.RESERVED
        ? " as a Pool" + key.reservation().map(id -> " with reservationId " + id).orElse("") + " of"
        : " to the capacity of";
  }

  private static boolean joins(ClusterPolicy cluster, MarketKey key) {
    return cluster.provider().equals(key.provider())
        && cluster.account().equals(key.account())
        && cluster.region().equals(key.region());
  }
}
