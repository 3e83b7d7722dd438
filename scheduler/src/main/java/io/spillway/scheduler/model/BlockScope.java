package io.spillway.scheduler.model;

import java.util.Optional;

/**
 * The part of the market that a block covers; an empty part is a wildcard. A wider scope wins over
 * a narrower one.
 *
 * @param family the instance types meant: their beginning, for example {@code p5.}, or where size
 *     stands between a family's words, its two ends around one star: {@code Standard_ND*_H100_v5};
 *     empty = all
 */
public record BlockScope(
    String provider,
    String account,
    Optional<String> region,
    Optional<String> zone,
    Optional<String> family,
    Optional<CapacityType> capacityType,
    Optional<String> reservation)
    implements Comparable<BlockScope> {

  /** The narrowest scope: exactly that offering. */
  public static BlockScope of(MarketKey key) {
    return new BlockScope(
        key.provider(),
        key.account(),
        Optional.of(key.region()),
        Optional.of(key.zone()),
        Optional.of(key.instanceType()),
        Optional.of(key.capacityType()),
        key.reservation());
  }

  /** Whether capacity of that key lies in this scope. */
  public boolean covers(MarketKey key) {
    return provider.equals(key.provider())
        && account.equals(key.account())
        && region.map(key.region()::equals).orElse(true)
        && zone.map(key.zone()::equals).orElse(true)
        && family.map(words -> isOf(words, key.instanceType())).orElse(true)
        && capacityType.map(type -> type == key.capacityType()).orElse(true)
        && reservation.map(id -> key.reservation().map(id::equals).orElse(false)).orElse(true);
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

  /** The canonical text; {@code *} stands for a wildcard. */
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
        + capacityType.map(CapacityType::text).orElse("*")
        + reservation.map(id -> "/" + id).orElse("");
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
