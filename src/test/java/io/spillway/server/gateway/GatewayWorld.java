package io.spillway.server.gateway;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.State;
import io.spillway.scheduler.state.View;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.config.GatewayConfig;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.InboxBell;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.inbox.InboxKey;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.loop.CommitListener.Commit;
import io.spillway.server.loop.StateReader;
import io.spillway.server.progress.ProgressBook;
import io.spillway.server.providers.Providers;
import io.spillway.server.store.Database;
import io.spillway.server.world.TestStore;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Gateways on a real database and a real inbox, with streams over real HTTP/2. The loop's part is
 * played by the test: it says what is committed, by itself only that a session is there, is gone,
 * or knows a newer store.
 */
final class GatewayWorld implements AutoCloseable {
  static final String PROVIDER_REGION = "eu-1";
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String SPEC =
      """
      {"name":"train","queue":"research","image":"registry.example/train:1",
       "command":["torchrun","train.py"],"args":["--lr","0.1"],"env":{"EPOCHS":"3"},
       "framework":"pytorch-ddp","launcher":"torchrun","network":{"rdma":"none"},
       "resources":{"nodes":2,"gpusPerNode":8,"gpu":["nvidia-h100-80gb"]}}
      """;

  final TestStore store = new TestStore();
  private final StoreCodec codec = new StoreCodec();
  private final State state = new State();
  private final Map<ClusterName, ClusterPolicy> clusters = new HashMap<>();

  /** The Cluster documents of the policies in force, as far as a test wrote any. */
  final Map<ClusterName, ClusterCompute> compute = new ConcurrentHashMap<>();

  private final List<Replica> replicas = new CopyOnWriteArrayList<>();
  private final List<Input> inputs = new CopyOnWriteArrayList<>();
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private long seq;
  private int jobs;
  volatile boolean silentLoop;
  volatile boolean storeDown;

  GatewayWorld() {
    store.query("insert into store_identity (id, generation) values (1, 'store-a')");
    store.query(
        "insert into journal_head (cell, seq, epoch, cycle, now, plan_hash, digest)"
            + " values ('main', 0, 1, 0, now(), '', 0)");
  }

  Replica replica(String name, GatewayConfig config) {
    Replica replica = new Replica(name, config);
    replicas.add(replica);
    synchronized (this) {
      replica.commits.reset(replicas.size() == 1, state);
    }
    return replica;
  }

  /** A registered cluster of that provider; its token is {@code token-of-<name>}. */
  ClusterName cluster(String name, String provider) {
    ClusterName cluster = new ClusterName(name);
    store.query(
        "insert into cluster_token (cluster, token_hash, issued_by) values ($1, $2, 'test')",
        name,
        Doorkeeper.hash("token-of-" + name));
    clusters.put(
        cluster,
        new ClusterPolicy(
            cluster,
            provider,
            "prod",
            PROVIDER_REGION,
            "spillway-{queue}",
            Duration.ofMinutes(30),
            List.of(
                new ClusterPolicy.Capacity(
                    "h100x8",
                    List.of(CapacityType.SPOT),
                    List.of("eu-1a"),
                    9,
                    Duration.ofMinutes(15),
                    Optional.empty())),
            ClusterPolicy.Access.NONE));
    commit(
        new ControlEvent.PolicyAdopted(
            new PolicySet(
                "v" + clusters.size(),
                Map.of(),
                PolicySet.EMPTY.priorityClasses(),
                clusters,
                Map.of(),
                List.of()),
            NOW),
        new ClusterEvent.ClusterRegistered(cluster, NOW));
    return cluster;
  }

  static OfferingId offering(ClusterName cluster) {
    return new OfferingId(cluster, "eu-1a", "h100x8", CapacityType.SPOT, Optional.empty());
  }

  /** An attempt in that state whose agent must be told that command (null = nothing). */
  AttemptId attempt(ClusterName cluster, AttemptState attemptState, String command) {
    JobId job = new JobId(String.format("01GATEWAY%017d", ++jobs));
    AttemptId id = new AttemptId(job, 1);
    store.query(
        "insert into job_spec (job_id, spec) values ($1, $2::text::jsonb)", job.value(), SPEC);
    put(id, cluster, attemptState, command);
    return id;
  }

  /** The same attempt later. */
  void put(AttemptId id, ClusterName cluster, AttemptState attemptState, String command) {
    Attempt attempt =
        new Attempt(
            id,
            new Attempt.Placement(
                offering(cluster), 0, "spot", UsdPerGpuHour.ZERO, UsdPerGpuHour.ZERO, 2, 8),
            attemptState,
            1,
            false,
            List.of(),
            Optional.empty());
    long at = seq + 1;
    store.query(
        """
        insert into attempt (job_id, number, cluster, offering, state, outcome, reason, epoch,
          created_at, ended_at, core, command, command_seq, command_epoch, updated_seq)
        values ($1, $2, $3, $4, $5, null, 'PLACED', 1, now(),
          case when $5 = 'ENDED' then now() end, $6, nullif($7, ''), $8, 1, $8)
        on conflict (job_id, number) do update set state = excluded.state, core = excluded.core,
          command = excluded.command, command_seq = excluded.command_seq,
          ended_at = excluded.ended_at
        """,
        id.job().value(),
        id.number(),
        cluster.value(),
        offering(cluster).text(),
        attemptState.label(),
        codec.write(Attempt.class, attempt),
        command == null ? "" : command,
        at);
    commit(new AttemptEvent.AttemptLaunching(id, offering(cluster), NOW, NOW));
  }

  /** What the loop committed; attempts' events only wake. */
  synchronized void commit(Event... events) {
    for (Event event : events) {
      if (event instanceof ClusterEvent || event instanceof ControlEvent) {
        state.apply(event);
      }
    }
    seq++;
    store.query("update journal_head set seq = $1 where cell = 'main'", seq);
    Commit commit =
        new Commit(
            seq,
            new Cycle(seq, NOW, 0, 1),
            List.of(events),
            Inputs.NONE,
            List.of(),
            true,
            Duration.ZERO,
            Duration.ZERO);
    replicas.stream().filter(r -> !r.dead).forEach(r -> r.commits.committed(commit, state));
  }

  synchronized String policyVersion() {
    return state.policies().version();
  }

  List<Input> inputs() {
    return List.copyOf(inputs);
  }

  <T extends Input> List<T> inputs(Class<T> type) {
    return inputs.stream().filter(type::isInstance).map(type::cast).toList();
  }

  long head() {
    return seq;
  }

  private void taken(List<Input> more) {
    inputs.addAll(more);
    if (silentLoop) {
      return;
    }
    List<Event> events = new ArrayList<>();
    for (Input input : more) {
      switch (input) {
        case AgentInput.SessionOpened o ->
            events.add(
                new ClusterEvent.AgentConnected(o.cluster(), o.generation(), o.agentEpoch(), NOW));
        case AgentInput.SessionClosed c ->
            events.add(new ClusterEvent.AgentDisconnected(c.cluster(), c.generation(), NOW));
        case AgentInput.NewerStoreReported n ->
            events.add(new ControlEvent.RecoveryEntered("newer store " + n.head(), NOW));
        default -> {}
      }
    }
    if (!events.isEmpty()) {
      loop.execute(() -> commit(events.toArray(Event[]::new)));
    }
  }

  @Override
  public void close() {
    loop.shutdownNow();
    for (Replica replica : replicas) {
      replica.close();
    }
    store.close();
  }

  /** One process: a gateway on a port of its own. */
  final class Replica implements AutoCloseable {
    final Gateway gateway;
    final CommitWatch commits;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Database database = store.open();
    private final HttpServer server;
    private volatile boolean dead;

    Replica(String name, GatewayConfig config) {
      PgInbox inbox =
          new PgInbox(
              database,
              codec,
              new PgInbox.Place("main", name),
              new InboxBell(),
              new CursorWatch(),
              new InboxGauge(database, "main"),
              Clock.systemUTC());
      boolean leads = replicas.isEmpty();
      this.gateway =
          new Gateway(
              config,
              new Gateway.Place(
                  database.vertx(),
                  database.pool(),
                  "main",
                  name,
                  name,
                  new ProgressBook(database.vertx(), database.pool(), Duration.ofMillis(50))),
              new Watched(inbox),
              new Reading(leads),
              new CommandTranslation.Words(
                  codec, policies -> CompletableFuture.completedFuture(compute), Clock.systemUTC()),
              Classifiers.of(Providers.installed()),
              new AgentMetrics(registry, Clock.systemUTC()));
      this.commits = new CommitWatch(gateway, config.straySweepAfter());
      this.server =
          await(
              database
                  .vertx()
                  .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                  .requestHandler(gateway.handler())
                  .listen());
      gateway.start();
    }

    int port() {
      return server.actualPort();
    }

    FakeAgent agent(ClusterName cluster, long agentEpoch) {
      return FakeAgent.welcomed(port(), cluster.value(), "token-of-" + cluster, agentEpoch);
    }

    /** Gone as by kill -9. */
    void dies() {
      dead = true;
      gateway.vanish();
      await(server.close());
    }

    @Override
    public void close() {
      if (!dead) {
        dead = true;
        gateway.vanish();
        await(server.close());
      }
      database.close();
    }
  }

  private static <T> T await(io.vertx.core.Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The real inbox, watched; and with a switch that cuts it off. */
  private final class Watched implements Inbox {
    private final Inbox real;

    Watched(Inbox real) {
      this.real = real;
    }

    @Override
    public Uni<InboxKey> append(Lane lane, String actor, List<Input> more) {
      return storeDown
          ? Uni.createFrom().failure(new StoreUnavailable("no store", new IllegalStateException()))
          : real.append(lane, actor, more).invoke(key -> taken(more));
    }

    @Override
    public Uni<InboxKey> appendFrom(Lane lane, String actor, List<Input> more, OffsetMove move) {
      return real.appendFrom(lane, actor, more, move);
    }

    @Override
    public Uni<Boolean> committed(InboxKey key, Duration timeout) {
      return real.committed(key, timeout);
    }

    @Override
    public Load load() {
      return real.load();
    }
  }

  private final class Reading implements StateReader {
    private final boolean leads;

    Reading(boolean leads) {
      this.leads = leads;
    }

    @Override
    public <T> CompletionStage<T> read(Function<View, T> question) {
      return CompletableFuture.supplyAsync(
          () -> {
            synchronized (GatewayWorld.this) {
              return question.apply(state);
            }
          });
    }

    @Override
    public boolean leading() {
      return leads;
    }
  }
}
