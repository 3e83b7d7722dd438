package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.capacity.spi.CapacityProbe.Allowance;
import io.spillway.server.probes.AccountHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * How an account's probe fares. While another replica leads, and does not answer, what this one
 * knows of its own time as leader.
 *
 * @param module that asks; another than the provider's own where one plays its part
 * @param reason why it is off or failing
 * @param failureClass what kind of failure the last run met
 * @param failures runs that failed since the last success
 * @param nextRun when the account is asked again
 * @param backOffUntil the same after a failure: until then the provider is left alone
 * @param lastObservations that the last good run brought
 * @param warnings parts of the last good run that failed
 * @param calls what is left of its rate limit, where one is known
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "How an account's probe fares")
public record ProbeAnswer(
    String module,
    @Schema(enumeration = {"OFF", "WAITING", "HEALTHY", "PARTIAL", "FAILING"}) String state,
    Optional<String> reason,
    Optional<String> failureClass,
    int failures,
    Optional<Instant> lastRun,
    Optional<Instant> lastSuccess,
    Optional<Instant> nextRun,
    Optional<Instant> backOffUntil,
    Optional<Double> lastDurationSeconds,
    int lastObservations,
    List<String> warnings,
    Optional<Calls> calls) {

  /** Calls that may be made now, of so many in a window. */
  public record Calls(int left, int limit, double windowSeconds) {
    static Calls of(Allowance budget) {
      return new Calls(budget.left(), budget.limit(), seconds(budget.window()));
    }
  }

  static ProbeAnswer of(AccountHealth health) {
    return new ProbeAnswer(
        health.provider(),
        health.state().name(),
        Optional.of(health.detail()).filter(why -> !why.isEmpty()),
        health.failure().map(Enum::name),
        health.failures(),
        health.lastRun(),
        health.lastSuccess(),
        health.nextRun(),
        health.backOffUntil(),
        health.lastDuration().map(ProbeAnswer::seconds),
        health.observations(),
        health.warnings(),
        health.budget().map(Calls::of));
  }

  /** A module without any account. */
  static ProbeAnswer unconfigured(String module) {
    return of(
        AccountHealth.off(
            module,
            "",
            "no account: none is set under spillway.providers." + module + ".accounts"));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1_000.0;
  }
}
