package io.spillway.server.probes;

import io.spillway.capacity.spi.CapacityProbe.Allowance;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How one account's probe fares, for {@code /providers}.
 *
 * @param provider the module that asks
 * @param market the provider whose market it shows; the same unless a module plays another's part
 * @param state what the last run, or the start, came to
 * @param nextRun when it is asked again; empty while another replica leads
 * @param detail why it is off or failing, in words without secrets; else empty
 * @param failure what kind of failure the last run met
 * @param failures runs that failed since the last success
 * @param observations that the last good run brought
 * @param warnings parts of the last good run that failed
 * @param budget what is left of the account's rate limit, where one is known
 */
public record AccountHealth(
    String provider,
    String market,
    String account,
    State state,
    Optional<Instant> lastRun,
    Optional<Instant> lastSuccess,
    Optional<Instant> nextRun,
    Optional<Duration> lastDuration,
    String detail,
    Optional<FailureClass> failure,
    int failures,
    int observations,
    List<String> warnings,
    Optional<Allowance> budget) {

  public AccountHealth {
    warnings = List.copyOf(warnings);
  }

  /** A closed set, for people and metrics. */
  public enum State {
    /** Not configured, or the settings cannot work; the detail names the key. */
    OFF,
    /** Not asked yet by this replica. */
    WAITING,
    HEALTHY,
    /** Some parts failed. */
    PARTIAL,
    /** The last run failed; the last observations stay and age. */
    FAILING
  }

  /** Until when the provider is left alone after a failure. */
  public Optional<Instant> backOffUntil() {
    return state == State.FAILING ? nextRun : Optional.empty();
  }

  /** An account that is not asked; {@code why} names the key. */
  public static AccountHealth off(String provider, String account, String why) {
    return new AccountHealth(
        provider,
        provider,
        account,
        State.OFF,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        why,
        Optional.empty(),
        0,
        0,
        List.of(),
        Optional.empty());
  }

  static AccountHealth waiting(String provider, String market, String account) {
    return new AccountHealth(
        provider,
        market,
        account,
        State.WAITING,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        Optional.empty(),
        0,
        0,
        List.of(),
        Optional.empty());
  }

  AccountHealth succeeded(Run run, int seen, List<String> parts) {
    return new AccountHealth(
        provider,
        market,
        account,
        parts.isEmpty() ? State.HEALTHY : State.PARTIAL,
        Optional.of(run.at()),
        Optional.of(run.at()),
        Optional.of(run.next()),
        Optional.of(run.took()),
        "",
        Optional.empty(),
        0,
        seen,
        parts,
        run.budget());
  }

  AccountHealth failed(Run run, FailureClass kind, String why) {
    return new AccountHealth(
        provider,
        market,
        account,
        State.FAILING,
        Optional.of(run.at()),
        lastSuccess,
        Optional.of(run.next()),
        Optional.of(run.took()),
        why,
        Optional.of(kind),
        failures + 1,
        observations,
        warnings,
        run.budget());
  }

  /** The same on a replica that does not lead (any more). */
  AccountHealth resting() {
    return new AccountHealth(
        provider,
        market,
        account,
        state,
        lastRun,
        lastSuccess,
        Optional.empty(),
        lastDuration,
        detail,
        failure,
        failures,
        observations,
        warnings,
        Optional.empty());
  }

  /**
   * What every run has.
   *
   * @param at when it began
   * @param took until its end
   * @param next when the account is asked again
   */
  record Run(Instant at, Duration took, Instant next, Optional<Allowance> budget) {}
}
