package io.spillway.server.board;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.OfferingStatus;
import io.spillway.scheduler.state.View;
import io.spillway.server.loop.StateReader;
import io.spillway.server.probes.ProbeRunner;
import io.spillway.server.providers.Providers;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Accounts with the health of their probes and what is observed of them, and GPU models by what
 * providers call them.
 */
@ApplicationScoped
public class ProviderBoard {
  private final StateReader state;
  private final Map<String, Map<String, GpuModel>> aliases = new TreeMap<>();
  private final ProbeRunner probes;
  private final InstantSource clock = InstantSource.system();

  ProviderBoard(StateReader state, Providers providers, ProbeRunner probes) {
    this.state = state;
    this.probes = probes;
    providers
        .modules()
        .forEach((name, module) -> aliases.put(name, Map.copyOf(module.gpuAliases())));
  }

  public Items<GpuAnswer> gpus() {
    return new Items<>(GpuModel.all().stream().map(model -> GpuAnswer.of(model, aliases)).toList());
  }

  /** As this replica knows them; whoever leads runs the probes. */
  public Uni<Items<ProviderAnswer>> accounts() {
    return Uni.createFrom().completionStage(() -> state.read(this::accounts));
  }

  private Items<ProviderAnswer> accounts(View view) {
    Instant now = clock.instant();
    SortedMap<String, AccountTally> tallies = new TreeMap<>();
    for (ClusterPolicy cluster : view.policies().clusters().values()) {
      tally(tallies, cluster.provider(), cluster.account()).cluster(cluster.name().value());
    }
    for (OfferingStatus status : view.offerings(now)) {
      status.observation().ifPresent(seen -> tally(tallies, seen).see(seen));
      Optional<MarketKey> key = status.key().filter(k -> status.block().isPresent());
      key.ifPresent(k -> tally(tallies, k.provider(), k.account()).block());
    }
    view.unlaunchable().forEach(seen -> tally(tallies, seen).see(seen));
    Set<String> configured = new HashSet<>();
    probes
        .board()
        .forEach(
            health -> {
              configured.add(health.provider());
              tally(tallies, health.market(), health.account()).health(health);
            });
    List<ProviderAnswer> answers = new ArrayList<>();
    tallies.values().forEach(tally -> answers.add(tally.answer(aliases.keySet(), now)));
    aliases.keySet().stream()
        .filter(module -> !configured.contains(module))
        .forEach(module -> answers.add(unconfigured(module)));
    return new Items<>(answers);
  }

  private static ProviderAnswer unconfigured(String module) {
    return new ProviderAnswer(
        module,
        Optional.empty(),
        true,
        List.of(),
        0,
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.of(ProbeAnswer.unconfigured(module)));
  }

  private static AccountTally tally(SortedMap<String, AccountTally> tallies, Observation seen) {
    return tally(tallies, seen.key().provider(), seen.key().account());
  }

  private static AccountTally tally(
      SortedMap<String, AccountTally> tallies, String provider, String account) {
    return tallies.computeIfAbsent(
        provider + "/" + account, key -> new AccountTally(provider, account));
  }
}
