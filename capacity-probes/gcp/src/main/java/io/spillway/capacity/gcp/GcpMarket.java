package io.spillway.capacity.gcp;

import io.spillway.capacity.gcp.GcpAdvice.Spot;
import io.spillway.capacity.gcp.GcpMachines.Held;
import io.spillway.capacity.gcp.GcpPriceList.Parts;
import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.Remembered.Told;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns Google's answers into observations. */
final class GcpMarket {
  static final FallbackCatalogue CATALOGUE = FallbackCatalogue.of(GcpMarket.class, "catalogue.csv");

  /** Advice over this is a good word, under the other a bad one; between, it is none. */
  private static final BigDecimal LIKELY = new BigDecimal("0.3");

  private static final BigDecimal UNLIKELY = new BigDecimal("0.05");

  private final String account;
  private final Prices prices;

  GcpMarket(String account, Prices prices) {
    this.account = account;
    this.prices = prices;
  }

  List<Observation> sold(
      List<GcpMachine> machines,
      Map<String, Long> left,
      Parts parts,
      Map<String, Spot> spots,
      Instant now) {
    List<Observation> seen = new ArrayList<>();
    for (GcpMachine machine : machines) {
      int gpus = machine.shape().gpus();
      Optional<UsdPerGpuHour> list =
          GcpPricing.of(machine, false, parts).flatMap(usd -> prices.listNode(usd, gpus));
      Spot spot = spots.getOrDefault(GcpAdvice.key(machine), Spot.NOTHING);
      Optional<Told<BigDecimal>> market =
          spot.price()
              .or(
                  () ->
                      GcpPricing.of(machine, true, parts).map(usd -> new Told<>(usd, parts.at())));
      Optional<UsdPerGpuHour> spotPrice =
          market.flatMap(usd -> prices.marketNode(usd.value(), gpus));
      if (machine.onDemand()) {
        seen.add(
            observation(
                key(machine, CapacityType.ON_DEMAND),
                machine.shape(),
                list,
                list,
                onDemand(machine, left),
                list.isPresent() ? parts.at() : now,
                now));
      }
      seen.add(
          observation(
              key(machine, CapacityType.SPOT),
              machine.shape(),
              spotPrice,
              list,
              spot(machine, left, spot),
              spotPrice.flatMap(usd -> market).map(Told::at).orElse(now),
              now));
    }
    return seen;
  }

  /** A reservation bills its machines at the list price. */
  List<Observation> reserved(List<Held> all, List<GcpMachine> machines, Parts parts, Instant now) {
    Map<MarketKey, Observation> byKey = new LinkedHashMap<>();
    for (Held held : all) {
      machines.stream()
          .filter(machine -> machine.zone().equals(held.zone()))
          .filter(machine -> machine.type().equals(held.type()))
          .findFirst()
          .ifPresent(
              machine -> {
                Observation seen = reserved(held, machine, parts, now);
                byKey.put(seen.key(), seen);
              });
    }
    return List.copyOf(byKey.values());
  }

  private Observation reserved(Held held, GcpMachine machine, Parts parts, Instant now) {
    Optional<UsdPerGpuHour> list =
        GcpPricing.of(machine, false, parts)
            .flatMap(usd -> prices.listNode(usd, machine.shape().gpus()));
    return observation(
        new MarketKey(
            "gcp",
            account,
            machine.region(),
            machine.zone(),
            machine.type(),
            CapacityType.RESERVED,
            Optional.of(held.name())),
        machine.shape(),
        list,
        list,
        said(held),
        list.isPresent() ? parts.at() : now,
        now);
  }

  private record Said(Availability availability, Trust trust, String source) {}

  /** One that is used up may be used by nodes that stand idle in a cluster. */
  private static Said said(Held held) {
    if (!held.ready()) {
      return new Said(Availability.UNAVAILABLE, Trust.OFFERED, "reservation, not ready");
    }
    return held.free() > 0
        ? new Said(Availability.AVAILABLE, Trust.OFFERED, "reservation")
        : new Said(Availability.UNKNOWN, Trust.OFFERED, "reservation, all in use");
  }

  private static Said onDemand(GcpMachine machine, Map<String, Long> left) {
    String metric = GcpGpus.quota(machine.accelerator());
    return usedUp(machine, metric, left)
        ? new Said(Availability.UNAVAILABLE, Trust.OFFERED, "quota " + metric + " used up")
        : new Said(Availability.UNKNOWN, Trust.LISTED, "machine types");
  }

  private static Said spot(GcpMachine machine, Map<String, Long> left, Spot spot) {
    String metric = "PREEMPTIBLE_" + GcpGpus.quota(machine.accelerator());
    if (usedUp(machine, metric, left)) {
      return new Said(Availability.UNAVAILABLE, Trust.OFFERED, "quota " + metric + " used up");
    }
    if (spot.obtainability().isEmpty()) {
      return new Said(Availability.UNKNOWN, Trust.LISTED, "machine types");
    }
    BigDecimal chance = spot.obtainability().get();
    Availability availability =
        chance.compareTo(LIKELY) >= 0
            ? Availability.AVAILABLE
            : chance.compareTo(UNLIKELY) < 0 ? Availability.UNAVAILABLE : Availability.UNKNOWN;
    return new Said(availability, Trust.OFFERED, "capacity advice " + chance);
  }

  private static boolean usedUp(GcpMachine machine, String metric, Map<String, Long> left) {
    Long gpus = left.get(metric);
    return gpus != null && gpus < machine.shape().gpus();
  }

  private MarketKey key(GcpMachine machine, CapacityType type) {
    return new MarketKey(
        "gcp", account, machine.region(), machine.zone(), machine.type(), type, Optional.empty());
  }

  private Observation observation(
      MarketKey key,
      NodeShape shape,
      Optional<UsdPerGpuHour> price,
      Optional<UsdPerGpuHour> onDemand,
      Said said,
      Instant priceAt,
      Instant now) {
    return CATALOGUE.complete(
        new Observation(
            key,
            shape,
            price,
            onDemand,
            said.availability(),
            said.trust(),
            priceAt,
            now,
            said.source()),
        prices);
  }
}
