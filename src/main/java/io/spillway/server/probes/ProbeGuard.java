package io.spillway.server.probes;

import static java.time.temporal.ChronoUnit.MILLIS;

import io.smallrye.faulttolerance.api.TypedGuard;
import io.spillway.capacity.spi.CapacityProbe;
import jakarta.enterprise.util.TypeLiteral;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The guard around one account's probe: a time-out. No retry and no breaker: {@link ProbePace} is
 * both, in between of which the account is shown as failing and its last observations age.
 */
final class ProbeGuard implements Guard {
  /** What the SPI promises to modules. */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final TypedGuard<CompletionStage<CapacityProbe.Result>> guard;

  ProbeGuard(String provider, String account, Duration timeout) {
    this.guard =
        TypedGuard.create(new TypeLiteral<CompletionStage<CapacityProbe.Result>>() {})
            // Without a description a random id becomes a metric's tag.
            .withDescription("capacity-probe-" + provider + "-" + account)
            .withTimeout()
            .duration(timeout.toMillis(), MILLIS)
            .done()
            .build();
  }

  @Override
  public CompletionStage<CapacityProbe.Result> run(
      Supplier<CompletionStage<CapacityProbe.Result>> question) {
    return guard.get(question);
  }
}
