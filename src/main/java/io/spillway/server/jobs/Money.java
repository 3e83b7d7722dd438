package io.spillway.server.jobs;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.Usd;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Collection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What attempts cost up to now.
 *
 * @param usd at the prices fixed at placement; nothing on a sunk pool
 * @param onDemandEquivalentUsd what the same time would have cost on demand
 * @param gpuHours in which all members ran
 */
@Schema(description = "Money accrued up to now, in USD with four decimals")
public record Money(
    @Schema(examples = "12.3400") BigDecimal usd,
    @Schema(examples = "49.3600") BigDecimal onDemandEquivalentUsd,
    @Schema(examples = "16.0000") BigDecimal gpuHours) {
  private static final BigDecimal MILLIS_PER_HOUR = BigDecimal.valueOf(3_600_000);

  static Money of(Collection<Attempt> attempts, Instant now) {
    Usd spent = Usd.ZERO;
    Usd onDemand = Usd.ZERO;
    long gpuMillis = 0;
    for (Attempt attempt : attempts) {
      spent = spent.plus(attempt.cost(now));
      onDemand = onDemand.plus(attempt.onDemandEquivalent(now));
      gpuMillis += attempt.placement().totalGpus() * attempt.ran(now).toMillis();
    }
    return new Money(
        spent.dollars(),
        onDemand.dollars(),
        BigDecimal.valueOf(gpuMillis).divide(MILLIS_PER_HOUR, 4, RoundingMode.HALF_UP));
  }
}
