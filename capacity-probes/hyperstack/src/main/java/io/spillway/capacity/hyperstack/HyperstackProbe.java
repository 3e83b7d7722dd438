package io.spillway.capacity.hyperstack;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.HttpAnswer;
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
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * {@code GET /core/flavors?region=} for the flavours of each region and whether they are in stock,
 * {@code GET /pricebook} for the price of one GPU by its name. Spot flavours stand under a GPU
 * whose name ends in {@code -spot}. The counts of {@code /core/stocks} are not asked for: the truth
 * value per flavour is what a launch meets.
 */
final class HyperstackProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://infrahub-api.nexgencloud.com/v1");
  private static final HttpCall PRICES = HttpCall.get("/pricebook");
  private static final String SOURCE = "core/flavors";
  private static final int MOST_GPUS = 64;

  /** Where Hyperstack sold machines when its regions were read, in November 2026. */
  private static final List<String> REGIONS = List.of("CANADA-1", "NORWAY-1", "US-1");

  private static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(HyperstackProbe.class, "catalogue.csv");

  private final AccountSettings account;
  private final Prices prices;
  private final Refusal refusal;
  private final ProbeClient client;

  HyperstackProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    this.refusal = new Refusal(account);
    String key = Credentials.required(account, "api-key");
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            (call, providersTime) -> call.header("api_key", key),
            // No rate is published; a round is a call per region and one for the prices.
            CallBudget.of(account, 20, 2, Duration.ofSeconds(15)));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    CompletableFuture<Map<String, BigDecimal>> book =
        run.optional("prices", run.send(PRICES).thenApply(answer -> book(answer, run)), Map.of());
    List<String> regions = account.regions().isEmpty() ? REGIONS : account.regions();
    return run.end(run.each(regions, region -> region, region -> flavours(run, region, book)));
  }

  /** USD an hour of one GPU by its name. */
  private static Map<String, BigDecimal> book(HttpAnswer answer, ProbeRun run) {
    Map<String, BigDecimal> book = new HashMap<>();
    run.rows(answer.json().elements(), Stream::of)
        .forEach(
            row -> row.optionalDecimal("value").ifPresent(usd -> book.put(row.text("name"), usd)));
    return book;
  }

  private CompletableFuture<List<Observation>> flavours(
      ProbeRun run, String region, CompletableFuture<Map<String, BigDecimal>> book) {
    return run.send(HttpCall.get("/core/flavors").with("region", region))
        .thenCompose(answer -> refusal.unless(answer))
        .thenCombine(
            book,
            (json, usd) -> run.rows(json.list("data"), group -> group(group, region, usd, run)));
  }

  private Stream<Observation> group(
      JsonView group, String region, Map<String, BigDecimal> book, ProbeRun run) {
    String gpu = group.optionalText("gpu").orElse("");
    Optional<GpuModel> model = HyperstackGpus.of(gpu);
    if (model.isEmpty() || !group.optionalText("region_name").orElse(region).equals(region)) {
      return Stream.empty();
    }
    return group.list("flavors").stream()
        .flatMap(flavour -> flavour(flavour, gpu, model.get(), region, book, run).stream());
  }

  private Optional<Observation> flavour(
      JsonView flavour,
      String gpu,
      GpuModel model,
      String region,
      Map<String, BigDecimal> book,
      ProbeRun run) {
    int gpus = flavour.integer("gpu_count");
    if (gpus < 1 || gpus > MOST_GPUS) {
      return Optional.empty();
    }
    String base = HyperstackGpus.base(gpu);
    boolean spot = HyperstackGpus.isSpot(gpu);
    Optional<UsdPerGpuHour> onDemand = Optional.ofNullable(book.get(base)).flatMap(prices::listGpu);
    Optional<UsdPerGpuHour> price =
        spot
            ? Optional.ofNullable(book.get(HyperstackGpus.spot(base))).flatMap(prices::marketGpu)
            : onDemand;
    Observation seen =
        new Observation(
            new MarketKey(
                "hyperstack",
                account.name(),
                region,
                region,
                flavour.text("name"),
                spot ? CapacityType.SPOT : CapacityType.ON_DEMAND,
                Optional.empty()),
            new NodeShape(model, gpus, count(flavour, "cpu"), count(flavour, "ram")),
            price,
            onDemand,
            flavour.flag("stock_available") ? Availability.AVAILABLE : Availability.UNAVAILABLE,
            Trust.OFFERED,
            run.now(),
            run.now(),
            SOURCE);
    return Optional.of(CATALOGUE.complete(seen, prices));
  }

  private static int count(JsonView flavour, String field) {
    return flavour
        .optionalDecimal(field)
        .map(number -> Math.clamp(number.longValue(), 0, 1_000_000))
        .orElse(0);
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "HyperstackProbe[" + account.name() + ']';
  }
}
