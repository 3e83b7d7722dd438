package io.spillway.scheduler.market;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.PriceOverride;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a market key costs now. An override by the operator is trusted until its end; an
 * observation's price must be there, trusted, young and inside the sanity band of its GPU model.
 * Built once per policy set; holds nothing that changes.
 */
public final class Pricing {
  private final Map<Sold, PriceOverride> overrides = new HashMap<>();
  private final PriceAge age;

  public Pricing(List<PriceOverride> overrides, PriceAge age) {
    this.age = age;
    for (PriceOverride override : overrides) {
      Sold sold =
          new Sold(
              override.provider(),
              override.region(),
              override.instanceType(),
              override.capacityType());
      this.overrides.putIfAbsent(sold, override);
    }
  }

  /** The quote of capacity that is not a pool's. */
  public Quote of(MarketKey key, Optional<Observation> observed, Instant now) {
    Optional<PriceOverride> override = override(key, now);
    if (override.isPresent()) {
      UsdPerGpuHour price = override.get().price();
      return new Quote.Priced(price, onDemand(observed, price), override.get().until());
    }
    if (observed.isEmpty()) {
      return unusable(RefusalReason.NOT_OBSERVED, Optional.empty(), "no probe has seen it");
    }
    return judged(key, observed.get(), now);
  }

  /** The quote of a pool, whose price is the policy's word. */
  public Quote of(PoolPolicy pool, NodeShape shape, Optional<Observation> observed) {
    UsdPerGpuHour price =
        pool.accounting() == PoolPolicy.Accounting.SUNK
            ? UsdPerGpuHour.ZERO
            : UsdPerGpuHour.ofNodeHour(pool.pricePerNodeHour(), shape.gpus());
    return new Quote.Priced(price, onDemand(observed, price), Optional.empty());
  }

  private Quote judged(MarketKey key, Observation seen, Instant now) {
    if (seen.trust() == Trust.FALLBACK) {
      return unusable(
          RefusalReason.TRUST_TOO_LOW, seen.price(), "known from the shipped catalogue only");
    }
    if (seen.price().isEmpty()) {
      return unusable(RefusalReason.NO_PRICE, Optional.empty(), "the provider told no price");
    }
    UsdPerGpuHour price = seen.price().get();
    Instant oldAt = seen.priceAt().plus(age.limit(key.capacityType()));
    if (!now.isBefore(oldAt)) {
      return unusable(
          RefusalReason.STALE_PRICE,
          seen.price(),
          "price of "
              + seen.priceAt()
              + " is "
              + Duration.between(seen.priceAt(), now).toSeconds()
              + " s old, limit "
              + age.limit(key.capacityType()).toSeconds()
              + " s");
    }
    Optional<String> odd = PriceSanity.objection(seen);
    if (odd.isPresent()) {
      return unusable(RefusalReason.PRICE_QUARANTINED, seen.price(), odd.get());
    }
    return new Quote.Priced(price, onDemand(Optional.of(seen), price), Optional.of(oldAt));
  }

  private Optional<PriceOverride> override(MarketKey key, Instant now) {
    Sold sold = new Sold(key.provider(), key.region(), key.instanceType(), key.capacityType());
    return Optional.ofNullable(overrides.get(sold))
        .filter(found -> found.until().map(now::isBefore).orElse(true));
  }

  private static UsdPerGpuHour onDemand(Optional<Observation> observed, UsdPerGpuHour otherwise) {
    return observed.flatMap(Observation::onDemandPrice).orElse(otherwise);
  }

  private static Quote unusable(
      RefusalReason reason, Optional<UsdPerGpuHour> shown, String detail) {
    return new Quote.Unusable(reason, shown, detail);
  }

  private record Sold(
      String provider, String region, String instanceType, CapacityType capacityType) {}
}
