package io.spillway.server.board;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.QueueStatus;
import io.spillway.scheduler.state.View;
import io.spillway.server.loop.StateReader;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Boards from the local copy of the scheduler's state. */
@ApplicationScoped
public class Boards {
  private final StateReader state;
  private final MarketBoards markets;
  private final String version;
  private final String coreVersion = new SchedulerCore(CoreSettings.DEFAULT).version();
  private final InstantSource clock = InstantSource.system();

  Boards(
      StateReader state,
      MarketBoards markets,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    this.state = state;
    this.markets = markets;
    this.version = version;
  }

  public Uni<Items<QueueAnswer>> queues(Caller caller) {
    return read(view -> queues(view, caller));
  }

  /** One queue; 404 when neither policies nor jobs know it. */
  public Uni<QueueAnswer> queue(Caller caller, QueueName name) {
    caller.mustOwn(name);
    return read(view -> queues(view, caller))
        .map(
            queues ->
                queues.items().stream()
                    .filter(queue -> queue.name().equals(name.value()))
                    .findFirst()
                    .orElseThrow(
                        () -> new Refused(ProblemType.NOT_FOUND, "there is no queue " + name)));
  }

  public Uni<Items<OfferingAnswer>> offerings() {
    return read(view -> new Items<>(markets.at(view, clock.instant()).lines()));
  }

  public Uni<Items<PoolAnswer>> pools() {
    return read(view -> new Items<>(view.pools().stream().map(PoolAnswer::of).toList()));
  }

  public Uni<Items<NodeAnswer>> nodes() {
    return read(view -> new Items<>(view.nodes().stream().map(NodeAnswer::of).toList()));
  }

  public Uni<Items<ClusterAnswer>> clusters() {
    return read(view -> new Items<>(view.clusters().stream().map(ClusterAnswer::of).toList()));
  }

  public Uni<SystemAnswer> system() {
    return read(
        view -> {
          Memo.SystemFlags flags = view.system();
          return new SystemAnswer(
              version,
              coreVersion,
              view.policies().version(),
              state.leading(),
              flags.paused(),
              flags.recovery(),
              flags.recovery().map(why -> flags.recoveryAt()),
              flags.drift());
        });
  }

  private static Items<QueueAnswer> queues(View view, Caller caller) {
    Map<QueueName, QueueAnswer.Usage> usage = usage(view);
    return new Items<>(
        view.queues().stream()
            .filter(status -> caller.owns(status.name()))
            .map(status -> answer(view, status, usage))
            .toList());
  }

  private static QueueAnswer answer(
      View view, QueueStatus status, Map<QueueName, QueueAnswer.Usage> usage) {
    return QueueAnswer.of(
        status,
        Optional.ofNullable(view.policies().queues().get(status.name())),
        usage.getOrDefault(status.name(), new QueueAnswer.Usage(0, 0)));
  }

  /** One pass over the attempts in memory. */
  private static Map<QueueName, QueueAnswer.Usage> usage(View view) {
    Map<QueueName, QueueAnswer.Usage> usage = new HashMap<>();
    for (Attempt attempt : view.attempts()) {
      if (attempt.state().isLive()) {
        view.job(attempt.id().job())
            .ifPresent(
                job ->
                    usage.merge(
                        job.order().queue(),
                        new QueueAnswer.Usage(
                            attempt.placement().totalGpus(), attempt.placement().nodes()),
                        (a, b) ->
                            new QueueAnswer.Usage(a.gpus() + b.gpus(), a.nodes() + b.nodes())));
      }
    }
    return usage;
  }

  private <T> Uni<T> read(Function<View, T> question) {
    return Uni.createFrom().completionStage(() -> state.read(question));
  }
}
