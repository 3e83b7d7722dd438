package io.spillway.server.probes;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one account's probe fares, for {@code /providers}.
 *
 * @param state what the last run, or the start, came to
 * @param nextRun when it is asked again; empty while another replica leads
 * @param detail the last failure or warnings in words, without secrets
 */
public record AccountHealth(
    String provider,
    String account,
    State state,
    Optional<Instant> lastRun,
    Optional<Instant> lastSuccess,
    Optional<Instant> nextRun,
    Optional<Duration> lastDuration,
    int observations,
    String detail) {

  /** A closed set, for people and metrics. */
  public enum State {
    /** The settings cannot work; the detail names the setting. */
    OFF,
    WAITING,
    HEALTHY,
    /** Some parts failed. */
    PARTIAL,
    FAILING
  }

  static AccountHealth off(String provider, String account, String why) {
    return new AccountHealth(
        provider,
        account,
        State.OFF,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        why);
  }

  static AccountHealth waiting(String provider, String account) {
    return new AccountHealth(
        provider,
        account,
        State.WAITING,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        "");
  }

  AccountHealth succeeded(Instant at, Duration took, int seen, String warnings, Instant next) {
    return new AccountHealth(
        provider,
        account,
        warnings.isEmpty() ? State.HEALTHY : State.PARTIAL,
        Optional.of(at),
        Optional.of(at),
        Optional.of(next),
        Optional.of(took),
        seen,
        warnings);
  }

  AccountHealth failed(Instant at, Duration took, String why, Instant next) {
    return new AccountHealth(
        provider,
        account,
        State.FAILING,
        Optional.of(at),
        lastSuccess,
        Optional.of(next),
        Optional.of(took),
        observations,
        why);
  }
}
