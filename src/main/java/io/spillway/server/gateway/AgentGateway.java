package io.spillway.server.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.state.View;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.config.GatewayConfig;
import io.spillway.server.config.ReplicaAddress;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.loop.CommitListener;
import io.spillway.server.loop.StateReader;
import io.spillway.server.policy.ClusterDocuments;
import io.spillway.server.progress.ProgressBook;
import io.spillway.server.providers.Providers;
import io.spillway.server.store.Database;
import io.vertx.ext.web.Router;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** The gateway as a part of the server: on its HTTP port, told of its commits, asked for logs. */
@Singleton
class AgentGateway implements CommitListener, AgentLogs {
  private static final Logger LOG = Logger.getLogger(AgentGateway.class);
  private static final int BEFORE_ALL_ROUTES = -1;
  private static final int STOP_SECONDS = 2;

  private final Gateway gateway;
  private final Pool pool;
  private final CommitWatch commits;

  @Inject
  AgentGateway(
      GatewayConfig config,
      PgInbox.Place place,
      Database database,
      Inbox inbox,
      Instance<StateReader> state,
      Surroundings around) {
    // A fresh name per start: what a dead process held must not look like this one's.
    String replica = place.replica() + "-" + UUID.randomUUID().toString().substring(0, 8);
    this.gateway =
        new Gateway(
            config,
            new Gateway.Place(
                database.vertx(),
                database.pool(),
                place.cell(),
                replica,
                around.address().value(),
                around.progress()),
            inbox,
            later(state),
            new CommandTranslation.Words(around.codec(), around.documents(), around.clock()),
            Classifiers.of(around.providers().modules()),
            new AgentMetrics(around.registry(), around.clock()));
    this.pool = database.pool();
    this.commits = new CommitWatch(gateway, config.straySweepAfter());
  }

  /** What the gateway takes of the rest of the server, beside its ports. */
  @Singleton
  record Surroundings(
      StoreCodec codec,
      Clock clock,
      MeterRegistry registry,
      Providers providers,
      ClusterDocuments documents,
      ReplicaAddress address,
      ProgressBook progress) {}

  void mount(@Observes Router router) {
    var handler = gateway.handler();
    router
        .post(Gateway.PATH)
        .order(BEFORE_ALL_ROUTES)
        .handler(
            call -> {
              handler.handle(call.request());
              // Filters before this route may have paused it; from here the stream paces itself.
              call.request().resume();
            });
  }

  void start(@Observes StartupEvent started) {
    gateway.start();
  }

  void stop(@Observes ShutdownEvent stopping) {
    try {
      gateway.stop().toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.infof("sessions left open, they end with the replica's lease: %s", e.toString());
    }
  }

  @Override
  public Optional<OpenLog> read(ClusterName cluster, Wanted wanted) {
    return gateway.read(cluster, wanted);
  }

  @Override
  public Uni<Optional<String>> replicaOf(ClusterName cluster) {
    return Uni.createFrom()
        .completionStage(
            () ->
                pool.preparedQuery(
                        """
                        select r.address
                          from agent_session s join gateway_replica r on r.replica = s.replica
                         where s.cluster = $1 and s.closed_at is null and r.address <> ''
                        """)
                    .execute(Tuple.of(cluster.value()))
                    .toCompletionStage())
        .map(
            rows ->
                rows.size() == 0
                    ? Optional.empty()
                    : Optional.of(rows.iterator().next().getString(0)));
  }

  @Override
  public void committed(Commit commit, View after) {
    commits.committed(commit, after);
  }

  @Override
  public void reset(boolean leading, View now) {
    commits.reset(leading, now);
  }

  /** The loop is told of us and we read from it: neither can be there first. */
  private static StateReader later(Instance<StateReader> state) {
    return new StateReader() {
      @Override
      public <T> CompletionStage<T> read(Function<View, T> question) {
        return state.get().read(question);
      }

      @Override
      public boolean leading() {
        return state.get().leading();
      }
    };
  }
}
