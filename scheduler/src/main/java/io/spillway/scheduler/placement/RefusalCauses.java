package io.spillway.scheduler.placement;

import io.spillway.scheduler.plan.ParkCause.Kind;
import io.spillway.scheduler.queue.Parking;

/**
 * What can lift a refusal. The counterpart of the wake rules: whatever ends a refusal is either an
 * event that one of these causes names, or the refusal's own time.
 */
final class RefusalCauses {
  private RefusalCauses() {}

  static void add(Parking parking, Offering offering, Verdict.Refused refusal) {
    parking.until(refusal.until());
    switch (refusal.reason()) {
      case CLUSTER_UNREGISTERED, CLUSTER_CUT_OFF, CLUSTER_CORDONED, TRANSLATION_REFUSED ->
          parking.on(Kind.CLUSTER, offering.id().cluster().value());
      case POOL_CORDONED, NO_ROOM -> parking.on(Kind.CAPACITY, offering.group());
      case NOT_OBSERVED,
          UNAVAILABLE,
          TRUST_TOO_LOW,
          NO_PRICE,
          STALE_PRICE,
          PRICE_QUARANTINED,
          RUNG_PRICE,
          CONSTRAINT_PRICE ->
          on(parking, Kind.OBSERVATION, offering);
      case NOT_CHEAPER_THAN_FALLBACK -> {
        on(parking, Kind.OBSERVATION, offering);
        parking.on(Kind.FALLBACK, refusal.subject());
      }
      case BLOCKED, AT_RISK -> parking.on(Kind.BLOCK, refusal.subject());
      case EXCLUDED -> on(parking, Kind.EXCLUSION, offering);
      case LAUNCH_BUDGET -> on(parking, Kind.LAUNCH_BUDGET, offering);
      case RUNG_NOT_OPEN -> parking.on(Kind.RUNG_OPENS, "");
      case POOL_NOT_YET, POOL_OVER -> {}
      case GPU_MODEL,
          NODE_TOO_SMALL,
          NO_FABRIC,
          CONSTRAINT_PROVIDER,
          CONSTRAINT_REGION,
          CONSTRAINT_CLUSTER,
          CONSTRAINT_POOL,
          RUNG_CAPACITY_TYPE,
          RUNG_PROVIDER,
          RUNG_REGION,
          RUNG_CLUSTER,
          RUNG_POOL,
          IDENTITY_NOT_GRANTED,
          VOLUME_NOT_GRANTED,
          WEIGHTS_NOT_GRANTED,
          SECRET_NOT_GRANTED,
          NO_SHAPE,
          GANG_TOO_LARGE ->
          parking.on(Kind.SHAPES, "");
    }
  }

  private static void on(Parking parking, Kind kind, Offering offering) {
    if (!parking.isAny(kind)) {
      parking.on(kind, offering.id().text());
    }
  }
}
