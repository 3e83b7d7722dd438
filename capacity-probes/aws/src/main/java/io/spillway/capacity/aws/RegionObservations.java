package io.spillway.capacity.aws;

import io.spillway.capacity.aws.ListPrices.ListPrice;
import io.spillway.capacity.aws.RegionFacts.BlockForSale;
import io.spillway.capacity.aws.RegionFacts.Offer;
import io.spillway.capacity.aws.RegionFacts.Reservation;
import io.spillway.capacity.aws.RegionFacts.SpotPrice;
import io.spillway.capacity.aws.RegionFacts.TypeFacts;
import io.spillway.capacity.http.Prices;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One region's facts and the price list as observations. EC2 tells where a type is sold and what it
 * costs, but of free capacity only in the account's own reservations; all else is a listing whose
 * capacity is unknown. Pure.
 */
final class RegionObservations {
  /** EC2 ends the instances of a block 30 min before its end and warns 10 min earlier. */
  private static final Duration BLOCK_TAIL = Duration.ofMinutes(40);

  /**
   * Stands for the id that a block gets when it is bought. It joins no pool, so a block on sale is
   * shown and never taken for capacity that is there.
   */
  static final String BLOCK_FOR_SALE = "capacity-block-for-sale";

  private final String account;
  private final Prices paid;
  private final ListPrices.Snapshot prices;
  private final Instant now;

  /**
   * @param paid what the account pays of a list price
   * @param now when the region was asked
   */
  RegionObservations(String account, Prices paid, ListPrices.Snapshot prices, Instant now) {
    this.account = account;
    this.paid = paid;
    this.prices = prices;
    this.now = now;
  }

  List<Observation> of(RegionFacts facts) {
    List<Observation> all = new ArrayList<>();
    Map<Offer, SpotPrice> spot = new HashMap<>();
    Set<Offer> places = new TreeSet<>(facts.offers());
    for (SpotPrice price : facts.spotPrices().orElse(List.of())) {
      spot.put(new Offer(price.instanceType(), price.zoneId()), price);
      places.add(new Offer(price.instanceType(), price.zoneId()));
    }
    for (Offer place : places) {
      TypeFacts type = facts.types().get(place.instanceType());
      if (type == null) {
        continue;
      }
      boolean sold = spot.containsKey(place) || type.soldAs().contains("spot");
      if (sold && facts.spotPrices().isPresent()) {
        all.add(spot(facts.region(), place, type, Optional.ofNullable(spot.get(place))));
      }
      if (facts.offers().contains(place) && type.soldAs().contains("on-demand")) {
        all.add(onDemand(facts.region(), place, type));
      }
    }
    facts.reservations().forEach(held -> reserved(facts, held).ifPresent(all::add));
    facts.blocks().forEach(block -> forSale(facts, block).ifPresent(all::add));
    return List.copyOf(all);
  }

  /** The price is the one in force when asked, however long ago it became so. */
  private Observation spot(String region, Offer place, TypeFacts type, Optional<SpotPrice> price) {
    return new Observation(
        key(region, place.zoneId(), place.instanceType(), CapacityType.SPOT, Optional.empty()),
        type.shape(),
        price.flatMap(told -> paid.marketNode(told.usdPerNodeHour(), type.shape().gpus())),
        listed(region, place.instanceType(), type),
        Availability.UNKNOWN,
        Trust.LISTED,
        now,
        now,
        "DescribeSpotPriceHistory");
  }

  private Observation onDemand(String region, Offer place, TypeFacts type) {
    Optional<ListPrice> price = list(region, place.instanceType());
    return new Observation(
        key(region, place.zoneId(), place.instanceType(), CapacityType.ON_DEMAND, Optional.empty()),
        type.shape(),
        price.flatMap(told -> discounted(told, type)),
        price.flatMap(told -> discounted(told, type)),
        Availability.UNKNOWN,
        price.map(ListPrice::trust).orElse(Trust.LISTED),
        price.map(ListPrice::at).orElse(now),
        now,
        "InstanceTypeOfferings, " + price.map(ListPrice::source).orElse("no list price"));
  }

  /** A reservation costs what its instances cost on demand; a block was paid when it was bought. */
  private Optional<Observation> reserved(RegionFacts facts, Reservation held) {
    TypeFacts type = facts.types().get(held.instanceType());
    if (type == null) {
      return Optional.empty();
    }
    Optional<ListPrice> price =
        list(facts.region(), held.instanceType()).filter(told -> told.trust() == Trust.LISTED);
    Optional<UsdPerGpuHour> onDemand = price.flatMap(told -> discounted(told, type));
    return Optional.of(
        new Observation(
            key(
                facts.region(),
                held.zoneId(),
                held.instanceType(),
                CapacityType.RESERVED,
                Optional.of(held.id())),
            type.shape(),
            held.capacityBlock() ? Optional.empty() : onDemand,
            onDemand,
            availability(held),
            Trust.OFFERED,
            price.map(ListPrice::at).orElse(now),
            now,
            "CapacityReservations, "
                + held.state()
                + ", "
                + held.free()
                + " of "
                + held.total()
                + " free"
                + held.end().map(end -> ", ends " + end).orElse("")));
  }

  /**
   * One that is wholly in use says nothing: its instances may be nodes that stand idle in a
   * cluster. Only one that is not running, or about to end, cannot be had.
   */
  private Availability availability(Reservation held) {
    Duration tail = held.capacityBlock() ? BLOCK_TAIL : Duration.ZERO;
    boolean ending = held.end().map(end -> !now.isBefore(end.minus(tail))).orElse(false);
    if (!held.state().equals("active") || ending || held.total() == 0) {
      return Availability.UNAVAILABLE;
    }
    return held.free() > 0 ? Availability.AVAILABLE : Availability.UNKNOWN;
  }

  private Optional<Observation> forSale(RegionFacts facts, BlockForSale block) {
    return Optional.ofNullable(facts.types().get(block.instanceType()))
        .map(
            type ->
                new Observation(
                    key(
                        facts.region(),
                        block.zoneId(),
                        block.instanceType(),
                        CapacityType.RESERVED,
                        Optional.of(BLOCK_FOR_SALE)),
                    type.shape(),
                    paid.marketNode(block.usdPerNodeHour(), type.shape().gpus()),
                    listed(facts.region(), block.instanceType(), type),
                    Availability.UNKNOWN,
                    Trust.OFFERED,
                    block.askedAt(),
                    now,
                    "CapacityBlockOfferings, " + block.start() + " to " + block.end()));
  }

  private Optional<ListPrice> list(String region, String type) {
    return prices.of(type, region);
  }

  /** For savings: only what the price list said, since no trust stands beside it. */
  private Optional<UsdPerGpuHour> listed(String region, String instanceType, TypeFacts type) {
    return list(region, instanceType)
        .filter(price -> price.trust() == Trust.LISTED)
        .flatMap(told -> discounted(told, type));
  }

  private Optional<UsdPerGpuHour> discounted(ListPrice price, TypeFacts type) {
    return paid.listNode(price.usdPerNodeHour(), type.shape().gpus());
  }

  private MarketKey key(
      String region,
      String zone,
      String instanceType,
      CapacityType type,
      Optional<String> reservation) {
    return new MarketKey("aws", account, region, zone, instanceType, type, reservation);
  }
}
