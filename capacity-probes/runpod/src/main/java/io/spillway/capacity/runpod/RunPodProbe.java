package io.spillway.capacity.runpod;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.LeftOut;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Asks GraphQL for the data centres of the secure cloud, then for {@code lowestPrice} of every GPU
 * type in each, by the counts that policies want. All prices are of one GPU. Stock that is null, or
 * comes without a price, is none, by RunPod's word. Spot is a bid; its price here is the lowest one
 * that is taken. A region is a country, a zone a data centre.
 */
final class RunPodProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://api.runpod.io");
  private static final String SOURCE = "gpuTypes.lowestPrice";
  private static final int MOST_GPUS = 64;

  private static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(RunPodProbe.class, "catalogue.csv");

  private final AccountSettings account;
  private final Prices prices;
  private final GraphQl graphql;
  private final ProbeClient client;
  private final LeftOut leftOut = new LeftOut();

  RunPodProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    this.graphql = new GraphQl(account);
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            HttpCall.Signer.bearer(Credentials.required(account, "api-key")),
            // No rate is published; one call a second is known to be let through.
            CallBudget.of(account, 16, 1, Duration.ofSeconds(10)));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    Set<String> answered = ConcurrentHashMap.newKeySet();
    return run.end(
        run.send(RunPodQuery.CENTRES)
            .thenCompose(answer -> graphql.list(answer, "dataCenters", run))
            .thenApply(rows -> run.rows(rows, this::centre))
            .thenCompose(centres -> market(run, centres, interest, answered))
            .thenApply(seen -> leftOut.completed(seen, key -> answered.contains(key.zone()), run)));
  }

  private Stream<String> centre(JsonView row) {
    String id = row.text("id");
    boolean wanted =
        row.flag("listed", true)
            && RunPodQuery.isCentre(id)
            && (account.regions().isEmpty() || account.regions().contains(RunPodQuery.country(id)));
    return wanted ? Stream.of(id) : Stream.empty();
  }

  private CompletableFuture<List<Observation>> market(
      ProbeRun run, List<String> centres, Set<String> interest, Set<String> answered) {
    Collection<Integer> counts = RunPodQuery.counts(interest);
    return run.each(
        RunPodQuery.groups(centres.stream().sorted().distinct().toList(), counts.size()),
        RunPodProbe::name,
        group ->
            run.send(RunPodQuery.market(group, counts))
                .thenCompose(answer -> graphql.list(answer, "gpuTypes", run))
                .thenApply(
                    rows -> {
                      List<Observation> seen =
                          run.rows(rows, row -> type(row, group, counts, interest, run));
                      answered.addAll(group);
                      return seen;
                    }));
  }

  private static String name(List<String> centres) {
    return centres.getFirst()
        + (centres.size() == 1 ? "" : " and " + (centres.size() - 1) + " more data centres");
  }

  private Stream<Observation> type(
      JsonView row,
      List<String> centres,
      Collection<Integer> counts,
      Set<String> interest,
      ProbeRun run) {
    GpuModel gpu = RunPodGpus.ALIASES.get(row.text("id"));
    if (gpu == null) {
      return Stream.empty();
    }
    String displayName = row.optionalText("displayName").orElse(row.text("id"));
    int most = row.optionalInteger("maxGpuCount").orElse(MOST_GPUS);
    List<Observation> seen = new ArrayList<>();
    for (int i = 0; i < centres.size(); i++) {
      for (int count : counts) {
        if (count <= most) {
          Offer offer = offer(row.optionalObject(RunPodQuery.alias(i, count)), gpu, count);
          String type = RunPodGpus.instanceType(count, displayName);
          MarketKey key = key(centres.get(i), type, CapacityType.ON_DEMAND);
          seen.add(observation(key, offer, offer.onDemand(), run));
          seen.add(
              observation(
                  key(centres.get(i), type, CapacityType.SPOT), offer, offer.lowestBid(), run));
        }
      }
    }
    return seen.stream()
        .filter(
            o ->
                o.availability() == Availability.AVAILABLE
                    || interest.contains(o.key().instanceType()));
  }

  private Offer offer(Optional<JsonView> found, GpuModel gpu, int count) {
    return new Offer(
        new NodeShape(
            gpu,
            count,
            number(found.flatMap(price -> price.optionalDecimal("minVcpu"))),
            number(found.flatMap(price -> price.optionalDecimal("minMemory")))),
        found.flatMap(price -> price.optionalText("stockStatus")).isPresent(),
        found
            .flatMap(price -> price.optionalDecimal("uninterruptablePrice"))
            .flatMap(prices::listGpu),
        found
            .flatMap(price -> price.optionalDecimal("minimumBidPrice"))
            .flatMap(prices::marketGpu));
  }

  private static int number(Optional<BigDecimal> count) {
    return count.map(n -> Math.clamp(n.longValue(), 0, 1_000_000)).orElse(0);
  }

  private MarketKey key(String centre, String type, CapacityType market) {
    return new MarketKey(
        "runpod",
        account.name(),
        RunPodQuery.country(centre),
        centre,
        type,
        market,
        Optional.empty());
  }

  private Observation observation(
      MarketKey key, Offer offer, Optional<UsdPerGpuHour> price, ProbeRun run) {
    boolean available = offer.inStock() && price.isPresent();
    Observation seen =
        new Observation(
            key,
            offer.shape(),
            price,
            offer.onDemand(),
            available ? Availability.AVAILABLE : Availability.UNAVAILABLE,
            Trust.OFFERED,
            run.now(),
            run.now(),
            SOURCE);
    return CATALOGUE.complete(seen, prices);
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "RunPodProbe[" + account.name() + ']';
  }

  /**
   * A GPU type and count in one data centre.
   *
   * @param onDemand of one GPU
   * @param lowestBid of one GPU, the least that is taken
   */
  private record Offer(
      NodeShape shape,
      boolean inStock,
      Optional<UsdPerGpuHour> onDemand,
      Optional<UsdPerGpuHour> lowestBid) {}
}
