package io.spillway.scheduler.model;

import java.util.Optional;

/**
 * The part of the market that a block covers; an empty part is a wildcard. A wider scope wins over
 * a narrower one.
 *
 * <p>Reserved capacity is a part of its own: that the market has no machines says nothing of those
 * that are reserved already, which are where jobs go when it has none.
 *
 * @param family the instance types meant: their beginning, for example {@code p5.}, or where size
 *     stands between a family's words, its two ends around one star: {@code Standard_ND*_H100_v5};
 *     empty = all
 * @param reservation that one alone
 * @param reserved what holds of reserved capacity where no reservation is named; always {@code
 *     INCLUDED} where one is
 */
public record BlockScope(
    String provider,
    String account,
    Optional<String> region,
    Optional<String> zone,
    Optional<String> family,
    Optional<CapacityType> capacityType,
    Optional<String> reservation,
    Reserved reserved)
    implements Comparable<BlockScope> {

  /** Whether a scope that names no reservation reaches into reservations. */
  public enum Reserved {
    /** What stands in a reservation is covered too: credentials, throttling, faults. */
    INCLUDED,
    /** Only what is sold on the open market: machines, limits, prices. */
    LEFT_OUT
  }

  /** Scopes stored in format 1 know no such part, and meant everything. */
  public BlockScope {
    reserved = reserved == null || reservation.isPresent() ? Reserved.INCLUDED : reserved;
  }

  /** The narrowest scope: exactly that offering. */
  public static BlockScope of(MarketKey key) {
    return new BlockScope(
        key.provider(),
        key.account(),
        Optional.of(key.region()),
        Optional.of(key.zone()),
        Optional.of(key.instanceType()),
        Optional.of(key.capacityType()),
        key.reservation(),
        Reserved.LEFT_OUT);
  }

  /** The same without what is reserved, unless it names a reservation. */
  public BlockScope onOpenMarket() {
    return new BlockScope(
        provider, account, region, zone, family, capacityType, reservation, Reserved.LEFT_OUT);
  }

  /** Whether capacity of that key lies in this scope. */
  public boolean covers(MarketKey key) {
    return provider.equals(key.provider())
        && account.equals(key.account())
        && region.map(key.region()::equals).orElse(true)
        && zone.map(key.zone()::equals).orElse(true)
        && family.map(words -> isOf(words, key.instanceType())).orElse(true)
        && capacityType.map(type -> type == key.capacityType()).orElse(true)
        && reservation
            .map(id -> key.reservation().map(id::equals).orElse(false))
            .orElse(reserved == Reserved.INCLUDED || isOnOpenMarket(key));
  }

  /** Machines may be reserved without an id of the reservation: then their type says so. */
  private boolean isOnOpenMarket(MarketKey key) {
    return key.reservation().isEmpty()
        && (capacityType.isPresent() || key.capacityType() != CapacityType.RESERVED);
  }

  private static boolean isOf(String family, String instanceType) {
    int star = family.indexOf('*');
    return star < 0
        ? instanceType.startsWith(family)
        : instanceType.length() >= family.length() - 1
            && instanceType.startsWith(family.substring(0, star))
            && instanceType.endsWith(family.substring(star + 1));
  }

  /** The kind of scope, a closed set for metrics: the widest part that is not a wildcard. */
  public String kind() {
    if (reservation.isPresent()) {
      return "reservation";
    }
    if (zone.isPresent()) {
      return family.isPresent() ? "offering" : "zone";
    }
    if (family.isPresent()) {
      return "family";
    }
    return region.isPresent() ? "region" : "account";
  }

  /**
   * The canonical text; {@code *} stands for a wildcard, {@code open} for every market where
   * nothing is reserved.
   */
  public String text() {
    return provider
        + '/'
        + account
        + '/'
        + region.orElse("*")
        + '/'
        + zone.orElse("*")
        + '/'
        + family.orElse("*")
        + '/'
        + market();
  }

  private String market() {
    boolean everything = reserved == Reserved.INCLUDED;
    if (capacityType.isEmpty() && reservation.isEmpty()) {
      return everything ? "*" : "open";
    }
    return capacityType.map(CapacityType::text).orElse("*")
        + reservation.map(id -> "/" + id).orElse(everything ? "/*" : "");
  }

  @Override
  public int compareTo(BlockScope other) {
    return text().compareTo(other.text());
  }

  @Override
  public String toString() {
    return text();
  }
}
