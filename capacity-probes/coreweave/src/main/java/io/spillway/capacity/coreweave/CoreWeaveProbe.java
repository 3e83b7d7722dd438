package io.spillway.capacity.coreweave;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Lists a cluster's node pools and their nodes, and its running pods only when a pool cannot grow
 * and one of its nodes may be idle. There is no list of CoreWeave's free capacity, and no price but
 * the published list, which is shipped. Spot and reserved prices are a contract's: an operator's
 * price override or pool tells them.
 */
final class CoreWeaveProbe implements CapacityProbe {
  static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(CoreWeaveProbe.class, "catalogue.csv");

  private static final String PAGE = "250";
  private static final HttpCall POOLS =
      HttpCall.get("/apis/compute.coreweave.com/v1alpha1/nodepools").with("limit", PAGE);
  private static final HttpCall NODES =
      HttpCall.get("/api/v1/nodes").with("labelSelector", PoolNode.POOL_LABEL).with("limit", PAGE);
  private static final HttpCall PODS =
      HttpCall.get("/api/v1/pods")
          .with("fieldSelector", "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed")
          .with("limit", PAGE);

  private final AccountSettings account;
  private final Prices prices;
  private final ProbeClient client;
  private final String region;
  private final String zone;

  CoreWeaveProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    if (account.regions().size() != 1) {
      throw new IllegalArgumentException("regions must be one: a cluster lies in one region");
    }
    this.region = account.regions().getFirst();
    this.zone = Credentials.orElse(account, "zone", region);
    URI endpoint =
        account
            .endpoint()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "endpoint is missing: the address of the cluster's Kubernetes API"));
    this.client =
        new ProbeClient(
            account,
            endpoint,
            HttpCall.Signer.bearer(Credentials.required(account, "token")),
            CallBudget.of(account, 10, 5, Duration.ofSeconds(10)));
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    CompletableFuture<List<NodePool>> pools = list(run, POOLS, row -> Stream.of(NodePool.of(row)));
    CompletableFuture<Optional<List<PoolNode>>> nodes =
        run.optional(
            "nodes",
            list(run, NODES, row -> Stream.of(PoolNode.of(row))).thenApply(Optional::of),
            Optional.empty());
    return run.end(
        pools
            .thenCombine(nodes, CoreWeaveProbe::markets)
            .thenCompose(markets -> withPods(markets, run))
            .thenApply(markets -> observations(markets, run)));
  }

  private static <T> CompletableFuture<List<T>> list(
      ProbeRun run, HttpCall call, java.util.function.Function<JsonView, Stream<T>> read) {
    return run.pages(
            call,
            page -> page.list("items"),
            page ->
                page.optionalObject("metadata")
                    .flatMap(metadata -> metadata.optionalText("continue"))
                    .map(more -> call.with("continue", more)))
        .thenApply(rows -> run.rows(rows, read));
  }

  private static List<PoolMarket> markets(List<NodePool> pools, Optional<List<PoolNode>> nodes) {
    return pools.stream()
        .map(
            pool ->
                new PoolMarket(
                    pool,
                    nodes.map(
                        all -> all.stream().filter(n -> n.pool().equals(pool.name())).toList()),
                    Optional.empty()))
        .toList();
  }

  private static CompletableFuture<List<PoolMarket>> withPods(
      List<PoolMarket> markets, ProbeRun run) {
    if (markets.stream().noneMatch(PoolMarket::asksForPods)) {
      return CompletableFuture.completedFuture(markets);
    }
    return run.optional(
            "pods",
            list(run, PODS, CoreWeaveProbe::holder).thenApply(Optional::of),
            Optional.<List<Holder>>empty())
        .thenApply(
            holders ->
                markets.stream()
                    .map(m -> new PoolMarket(m.pool(), m.nodes(), holders.map(CoreWeaveProbe::sum)))
                    .toList());
  }

  private static Stream<Holder> holder(JsonView pod) {
    int gpus = PoolNode.held(pod);
    return gpus == 0
        ? Stream.empty()
        : Stream.of(new Holder(pod.object("spec").text("nodeName"), gpus));
  }

  private static Map<String, Integer> sum(List<Holder> holders) {
    Map<String, Integer> held = new HashMap<>();
    holders.forEach(holder -> held.merge(holder.node(), holder.gpus(), Integer::sum));
    return held;
  }

  /** Several pools of a type and market are one offering: the best of them counts. */
  private List<Observation> observations(List<PoolMarket> markets, ProbeRun run) {
    Map<MarketKey, Observation> best = new TreeMap<>();
    for (PoolMarket market : markets) {
      NodePool pool = market.pool();
      Optional<CapacityType> type = market.capacityType();
      Optional<NodeShape> shape =
          CATALOGUE.find(pool.instanceType()).map(FallbackCatalogue.Entry::shape);
      if (shape.isEmpty()) {
        run.warn(
            "pool " + pool.name() + ": instance type " + pool.instanceType() + " is not known");
      } else if (type.isEmpty()) {
        run.warn("pool " + pool.name() + ": on demand or reserved, without its nodes nobody knows");
      } else {
        Observation seen = observation(market, type.get(), shape.get(), run);
        best.merge(seen.key(), seen, CoreWeaveProbe::better);
      }
    }
    return new ArrayList<>(best.values());
  }

  private static Observation better(Observation one, Observation other) {
    return rank(one.availability()) <= rank(other.availability()) ? one : other;
  }

  private static int rank(Availability availability) {
    return switch (availability) {
      case AVAILABLE -> 0;
      case UNKNOWN -> 1;
      case UNAVAILABLE -> 2;
    };
  }

  private Observation observation(
      PoolMarket market, CapacityType type, NodeShape shape, ProbeRun run) {
    MarketKey key =
        new MarketKey(
            "coreweave",
            account.name(),
            region,
            zone,
            market.pool().instanceType(),
            type,
            type == CapacityType.RESERVED ? Optional.of(market.pool().name()) : Optional.empty());
    return CATALOGUE.complete(
        new Observation(
            key,
            shape,
            Optional.empty(),
            CATALOGUE
                .find(key.instanceType())
                .flatMap(entry -> entry.price(CapacityType.ON_DEMAND, prices)),
            market.availability(),
            Trust.OFFERED,
            run.now(),
            run.now(),
            "nodepools"),
        prices);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "CoreWeaveProbe[" + account.name() + ']';
  }

  private record Holder(String node, int gpus) {}
}
