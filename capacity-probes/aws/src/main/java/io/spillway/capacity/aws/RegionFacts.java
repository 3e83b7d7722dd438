package io.spillway.capacity.aws;

import io.spillway.scheduler.model.NodeShape;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one region answered in one run, before prices are put to it.
 *
 * @param types shapes and ways of sale, by instance type
 * @param offers which type is sold in which zone; says nothing of capacity
 * @param spotPrices empty when they were not answered, which says nothing of any price
 * @param warnings calls that failed, for people
 */
record RegionFacts(
    String region,
    Map<String, TypeFacts> types,
    Set<Offer> offers,
    Optional<List<SpotPrice>> spotPrices,
    List<Reservation> reservations,
    List<BlockForSale> blocks,
    List<String> warnings) {

  RegionFacts {
    types = Map.copyOf(types);
    offers = Set.copyOf(offers);
    spotPrices = spotPrices.map(List::copyOf);
    reservations = List.copyOf(reservations);
    blocks = List.copyOf(blocks);
    warnings = List.copyOf(warnings);
  }

  /**
   * @param soldAs EC2's usage classes: {@code on-demand}, {@code spot}, {@code capacity-block}
   */
  record TypeFacts(NodeShape shape, Set<String> soldAs) {
    TypeFacts {
      soldAs = Set.copyOf(soldAs);
    }
  }

  record Offer(String instanceType, String zoneId) implements Comparable<Offer> {
    @Override
    public int compareTo(Offer other) {
      int byType = instanceType.compareTo(other.instanceType);
      return byType == 0 ? zoneId.compareTo(other.zoneId) : byType;
    }
  }

  /**
   * @param zoneId the id where it is known, else the account's own name of the zone
   * @param changedAt when the price became what it is
   */
  record SpotPrice(
      String instanceType, String zoneId, BigDecimal usdPerNodeHour, Instant changedAt) {}

  /**
   * A capacity reservation or a bought Capacity Block.
   *
   * @param state EC2's word, for example {@code active}
   * @param free instances of it that nothing runs on
   * @param end when it ends; empty = until it is cancelled
   */
  record Reservation(
      String id,
      String instanceType,
      String zoneId,
      String state,
      int total,
      int free,
      Optional<Instant> end,
      boolean capacityBlock) {}

  /**
   * A Capacity Block that could be bought.
   *
   * @param usdPerNodeHour the fee by instances and hours
   */
  record BlockForSale(
      String instanceType,
      String zoneId,
      BigDecimal usdPerNodeHour,
      Instant start,
      Instant end,
      Instant askedAt) {}
}
