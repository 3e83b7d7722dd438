package io.spillway.capacity.spi;

import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.BlockScope.Reserved;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.util.Optional;

/**
 * How far a refusal reaches: which parts of the key stay, and which become wildcards. What is
 * refused for its type, met inside a reservation, is said of that reservation alone; whether what
 * the open market refuses reaches into reservations depends on its class ({@link
 * FailureTable.Verdict#of}).
 */
public enum FailureScope {
  /** Exactly what was asked for: type, zone, market and reservation. */
  OFFERING {
    @Override
    public BlockScope of(MarketKey key) {
      return BlockScope.of(key);
    }
  },
  /** The type in that zone, in every market; of a reservation, that reservation. */
  TYPE_AND_ZONE {
    @Override
    public BlockScope of(MarketKey key) {
      return isReserved(key)
          ? BlockScope.of(key)
          : scope(key, Optional.of(key.zone()), Optional.of(key.instanceType()), ALL);
    }
  },
  /** The type in that zone as spot, whatever was asked for. */
  TYPE_AND_ZONE_ON_SPOT {
    @Override
    public BlockScope of(MarketKey key) {
      return scope(key, Optional.of(key.zone()), Optional.of(key.instanceType()), SPOT);
    }
  },
  /** The type in all zones of the region, in every market; of a reservation, that reservation. */
  TYPE_IN_REGION {
    @Override
    public BlockScope of(MarketKey key) {
      return isReserved(key)
          ? BlockScope.of(key)
          : scope(key, Optional.empty(), Optional.of(key.instanceType()), ALL);
    }
  },
  /**
   * The type in all zones of the region, in the market that was asked for; of a reservation, that
   * reservation.
   */
  TYPE_IN_REGION_AND_MARKET {
    @Override
    public BlockScope of(MarketKey key) {
      return isReserved(key) ? BlockScope.of(key) : family(key, key.instanceType());
    }
  },
  /** The type in all zones of the region as spot, whatever was asked for. */
  TYPE_IN_REGION_ON_SPOT {
    @Override
    public BlockScope of(MarketKey key) {
      return scope(key, Optional.empty(), Optional.of(key.instanceType()), SPOT);
    }
  },
  /** Every type in the zone. */
  ZONE {
    @Override
    public BlockScope of(MarketKey key) {
      return scope(key, Optional.of(key.zone()), Optional.empty(), ALL);
    }
  },
  /** Everything of the account in the region. */
  REGION {
    @Override
    public BlockScope of(MarketKey key) {
      return scope(key, Optional.empty(), Optional.empty(), ALL);
    }
  },
  /** Everything of the account in the region, in the market that was asked for. */
  REGION_AND_MARKET {
    @Override
    public BlockScope of(MarketKey key) {
      return scope(key, Optional.empty(), Optional.empty(), Optional.of(key.capacityType()));
    }
  },
  /** All spot of the account in the region. */
  REGION_ON_SPOT {
    @Override
    public BlockScope of(MarketKey key) {
      return scope(key, Optional.empty(), Optional.empty(), SPOT);
    }
  },
  /** The whole account. */
  ACCOUNT {
    @Override
    public BlockScope of(MarketKey key) {
      return account(key, ALL);
    }
  },
  /** All spot of the account. */
  ACCOUNT_ON_SPOT {
    @Override
    public BlockScope of(MarketKey key) {
      return account(key, SPOT);
    }
  };

  private static final Optional<CapacityType> ALL = Optional.empty();
  private static final Optional<CapacityType> SPOT = Optional.of(CapacityType.SPOT);

  /** The scope of a refusal that met this key. */
  public abstract BlockScope of(MarketKey key);

  /**
   * One market of a family in the account's region: limits of a family are counted per market.
   *
   * @param family as in {@link BlockScope#family()}
   */
  public static BlockScope family(MarketKey key, String family) {
    return scope(key, Optional.empty(), Optional.of(family), Optional.of(key.capacityType()));
  }

  /** Whether the key is of capacity that is set aside, with or without an id. */
  static boolean isReserved(MarketKey key) {
    return key.capacityType() == CapacityType.RESERVED || key.reservation().isPresent();
  }

  private static BlockScope account(MarketKey key, Optional<CapacityType> market) {
    return new BlockScope(
        key.provider(),
        key.account(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        market,
        Optional.empty(),
        Reserved.INCLUDED);
  }

  private static BlockScope scope(
      MarketKey key,
      Optional<String> zone,
      Optional<String> family,
      Optional<CapacityType> market) {
    return new BlockScope(
        key.provider(),
        key.account(),
        Optional.of(key.region()),
        zone,
        family,
        market,
        Optional.empty(),
        Reserved.INCLUDED);
  }
}
