package io.spillway.scheduler.policy;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.Optional;

/** A price that no provider publishes, for example a contract's. It is trusted until its end. */
public record PriceOverride(
    String provider,
    String region,
    String instanceType,
    CapacityType capacityType,
    UsdPerGpuHour price,
    Optional<Instant> until) {}
