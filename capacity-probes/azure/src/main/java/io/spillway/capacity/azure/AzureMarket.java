package io.spillway.capacity.azure;

import io.spillway.capacity.azure.AzurePrices.Price;
import io.spillway.capacity.azure.AzureProbe.Sold;
import io.spillway.capacity.azure.AzureReservations.Held;
import io.spillway.capacity.azure.AzureScores.Place;
import io.spillway.capacity.azure.AzureScores.Score;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns Azure's answers into observations. A zone is called as AKS labels its nodes, {@code
 * eastus-1}; a size that is sold without zones has its region for one. A spot price is the market's
 * own, so no discount is put on it.
 */
final class AzureMarket {
  static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(AzureMarket.class, "catalogue.csv");

  private final String account;
  private final Prices prices;

  AzureMarket(String account, Prices prices) {
    this.account = account;
    this.prices = prices;
  }

  List<Observation> sold(
      Sold sold,
      Map<String, Long> left,
      Told<Map<String, Price>> priced,
      Map<Place, Score> scores,
      Instant now) {
    List<Observation> seen = new ArrayList<>();
    for (AzureSku sku : sold.skus()) {
      Price price = priced.value().getOrDefault(sku.size(), Price.NONE);
      Optional<UsdPerGpuHour> list =
          price.onDemand().flatMap(usd -> prices.listNode(usd, sku.shape().gpus()));
      Optional<UsdPerGpuHour> spot =
          price.spot().flatMap(usd -> prices.marketNode(usd, sku.shape().gpus()));
      for (String zone : sku.zones().isEmpty() ? List.of("") : List.copyOf(sku.zones())) {
        seen.add(
            observation(
                key(sold.region(), zone, sku.size(), CapacityType.ON_DEMAND, Optional.empty()),
                sku.shape(),
                list,
                list,
                onDemand(sku, zone, left),
                list.isPresent() ? priced.at() : now,
                now));
        if (sku.spot()) {
          seen.add(
              observation(
                  key(sold.region(), zone, sku.size(), CapacityType.SPOT, Optional.empty()),
                  sku.shape(),
                  spot,
                  list,
                  spot(sku, sold.region(), zone, left, scores),
                  spot.isPresent() ? priced.at() : now,
                  now));
        }
      }
    }
    return seen;
  }

  /** What a reservation costs is a contract; its price comes from the policy's pool. */
  List<Observation> reserved(List<Held> all, Instant now) {
    Map<MarketKey, Observation> byKey = new LinkedHashMap<>();
    for (Held held : all) {
      Optional<NodeShape> shape = CATALOGUE.find(held.size()).map(FallbackCatalogue.Entry::shape);
      if (shape.isEmpty()) {
        continue;
      }
      Observation seen =
          observation(
              key(
                  held.region(),
                  held.zone(),
                  held.size(),
                  CapacityType.RESERVED,
                  Optional.of(held.group())),
              shape.get(),
              Optional.empty(),
              Optional.empty(),
              // One that is used up may be used by nodes that stand idle in a cluster.
              new Said(
                  held.free() > 0 ? Availability.AVAILABLE : Availability.UNKNOWN,
                  Trust.OFFERED,
                  held.free() > 0 ? "capacity reservation" : "capacity reservation, all in use"),
              now,
              now);
      byKey.merge(
          seen.key(),
          seen,
          (one, other) -> one.availability() == Availability.AVAILABLE ? one : other);
    }
    return List.copyOf(byKey.values());
  }

  private record Said(Availability availability, Trust trust, String source) {}

  private static final Said LISTED = new Said(Availability.UNKNOWN, Trust.LISTED, "resource SKUs");

  private static Said no(String why) {
    return new Said(Availability.UNAVAILABLE, Trust.OFFERED, why);
  }

  private static Said onDemand(AzureSku sku, String zone, Map<String, Long> left) {
    if (closed(sku, zone)) {
      return no("resource SKUs: closed to this subscription");
    }
    return tooLittle(left, sku.family(), sku) || tooLittle(left, AzureQuota.REGIONAL, sku)
        ? no("quota of " + sku.family() + " used up")
        : LISTED;
  }

  private static Said spot(
      AzureSku sku, String region, String zone, Map<String, Long> left, Map<Place, Score> scores) {
    if (closed(sku, zone)) {
      return no("resource SKUs: closed to this subscription");
    }
    if (tooLittle(left, AzureQuota.SPOT, sku)) {
      return no("spot quota used up");
    }
    Score score = scores.get(new Place(sku.size(), region, zone));
    if (score == null) {
      return LISTED;
    }
    String source = "spot placement score " + score;
    return switch (score) {
      case HIGH, MEDIUM -> new Said(Availability.AVAILABLE, Trust.OFFERED, source);
      case RESTRICTED -> no(source);
      // A low score is a bad chance and no refusal.
      case LOW, OTHER -> new Said(Availability.UNKNOWN, Trust.OFFERED, source);
    };
  }

  private static boolean closed(AzureSku sku, String zone) {
    return sku.closedHere() || sku.closed().contains(zone);
  }

  /** Whether less is left than one machine needs; a counter that is not told does not count. */
  private static boolean tooLittle(Map<String, Long> left, String counter, AzureSku sku) {
    Long cores = left.get(counter);
    return cores != null && cores < Math.max(1, sku.shape().cpus());
  }

  private MarketKey key(
      String region, String zone, String size, CapacityType type, Optional<String> reservation) {
    return new MarketKey(
        "azure",
        account,
        region,
        zone.isEmpty() ? region : region + '-' + zone,
        size,
        type,
        reservation);
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
