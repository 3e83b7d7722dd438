package io.spillway.server.board;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.OfferingStatus;
import io.spillway.scheduler.state.View;
import io.spillway.server.loop.StateReader;
import io.spillway.server.probes.Providers;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Accounts by what is observed of them, and GPU models by what providers call them. */
@ApplicationScoped
public class ProviderBoard {
  private final StateReader state;
  private final Map<String, Map<String, GpuModel>> aliases = new TreeMap<>();
  private final InstantSource clock = InstantSource.system();

  ProviderBoard(StateReader state, Providers providers) {
    this.state = state;
    providers
        .modules()
        .forEach((name, module) -> aliases.put(name, Map.copyOf(module.gpuAliases())));
  }

  public Items<GpuAnswer> gpus() {
    return new Items<>(GpuModel.all().stream().map(model -> GpuAnswer.of(model, aliases)).toList());
  }

  public Uni<Items<ProviderAnswer>> accounts() {
    return Uni.createFrom().completionStage(() -> state.read(this::accounts));
  }

  private Items<ProviderAnswer> accounts(View view) {
    SortedMap<String, Tally> tallies = new TreeMap<>();
    for (ClusterPolicy cluster : view.policies().clusters().values()) {
      tally(tallies, cluster.provider(), cluster.account()).clusters.add(cluster.name().value());
    }
    Instant now = clock.instant();
    for (OfferingStatus status : view.offerings(now)) {
      status.observation().ifPresent(seen -> tally(tallies, seen).see(seen));
      if (status.block().isPresent() && status.key().isPresent()) {
        tally(tallies, status.key().get().provider(), status.key().get().account()).blocked++;
      }
    }
    view.unlaunchable().forEach(seen -> tally(tallies, seen).see(seen));
    List<ProviderAnswer> answers = new ArrayList<>();
    tallies.values().forEach(tally -> answers.add(tally.answer(aliases)));
    for (String module : aliases.keySet()) {
      if (answers.stream().noneMatch(answer -> answer.provider().equals(module))) {
        answers.add(
            new ProviderAnswer(module, Optional.empty(), true, List.of(), 0, Optional.empty(), 0));
      }
    }
    return new Items<>(answers);
  }

  private static Tally tally(Map<String, Tally> tallies, Observation seen) {
    return tally(tallies, seen.key().provider(), seen.key().account());
  }

  private static Tally tally(Map<String, Tally> tallies, String provider, String account) {
    return tallies.computeIfAbsent(provider + "/" + account, key -> new Tally(provider, account));
  }

  /** What was counted of one account. */
  private static final class Tally {
    private final String provider;
    private final String account;
    private final List<String> clusters = new ArrayList<>();
    private int observations;
    private int blocked;
    private Optional<Instant> newest = Optional.empty();

    Tally(String provider, String account) {
      this.provider = provider;
      this.account = account;
    }

    void see(Observation seen) {
      observations++;
      newest =
          Optional.of(newest.filter(at -> at.isAfter(seen.observedAt())).orElse(seen.observedAt()));
    }

    ProviderAnswer answer(Map<String, Map<String, GpuModel>> modules) {
      return new ProviderAnswer(
          provider,
          Optional.of(account),
          modules.containsKey(provider),
          List.copyOf(clusters),
          observations,
          newest,
          blocked);
    }
  }
}
