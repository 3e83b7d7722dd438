package io.spillway.server.board;

import io.spillway.scheduler.market.Observation;
import io.spillway.server.probes.AccountHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is counted of one account. */
final class AccountTally {
  private final String provider;
  private final String account;
  private final List<String> clusters = new ArrayList<>();
  private int observations;
  private int blocked;
  private Optional<Instant> newest = Optional.empty();
  private Optional<ProbeAnswer> probe = Optional.empty();

  AccountTally(String provider, String account) {
    this.provider = provider;
    this.account = account;
  }

  void cluster(String name) {
    clusters.add(name);
  }

  void block() {
    blocked++;
  }

  void see(Observation seen) {
    observations++;
    seen(seen.observedAt());
  }

  /**
   * A round that succeeded has seen the market, also where nothing changed: only changes and an
   * occasional repetition are told to the scheduler.
   */
  void health(AccountHealth health) {
    probe = Optional.of(ProbeAnswer.of(health));
    health.lastSuccess().ifPresent(this::seen);
  }

  private void seen(Instant at) {
    newest = Optional.of(newest.filter(known -> known.isAfter(at)).orElse(at));
  }

  ProviderAnswer answer(Set<String> modules, Instant now) {
    return new ProviderAnswer(
        provider,
        Optional.of(account).filter(name -> !name.isEmpty()),
        modules.contains(provider),
        List.copyOf(clusters),
        observations,
        newest,
        newest.map(at -> Math.max(0, Duration.between(at, now).toSeconds())),
        blocked,
        probe);
  }
}
