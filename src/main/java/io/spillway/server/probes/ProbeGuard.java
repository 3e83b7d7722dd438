package io.spillway.server.probes;

import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.SECONDS;

import io.smallrye.faulttolerance.api.TypedGuard;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import jakarta.enterprise.util.TypeLiteral;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The guard around one account's probe: a time-out of 30 s and two retries of transient failures.
 * There is no breaker here: the next interval is the back-off, and an account that fails is shown
 * as failing while its last observations age.
 */
final class ProbeGuard {
  private static final long TIMEOUT_SECONDS = 30;

  private final TypedGuard<CompletionStage<CapacityProbe.Result>> guard;

  ProbeGuard(String provider, String account) {
    this.guard =
        TypedGuard.create(new TypeLiteral<CompletionStage<CapacityProbe.Result>>() {})
            // Without a description a random id becomes a metric's tag.
            .withDescription("capacity-probe-" + provider + "-" + account)
            .withTimeout()
            .duration(TIMEOUT_SECONDS, SECONDS)
            .done()
            .withRetry()
            .maxRetries(2)
            .delay(500, MILLIS)
            .jitter(200, MILLIS)
            .whenException(ProbeGuard::isTransient)
            .done()
            .build();
  }

  CompletionStage<CapacityProbe.Result> run(
      Supplier<CompletionStage<CapacityProbe.Result>> observe) {
    return guard.get(observe);
  }

  private static boolean isTransient(Throwable failure) {
    return failure instanceof ProbeException probe
        && probe.failureClass() == FailureClass.TRANSIENT;
  }
}
