package io.spillway.capacity.verda;

import io.spillway.capacity.http.CallBudget;
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
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * {@code GET /instance-types} for shapes and prices of whole machines, and {@code GET
 * /instance-availability} once for on-demand and once for spot: by location, the types that can be
 * had now. A type that a listed location does not name is not available there, by Verda's word.
 * Spot has a fixed, discounted price; nothing is bid.
 */
final class VerdaProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://api.verda.com/v1");
  private static final String SOURCE = "instance-availability";
  private static final int MOST_GPUS = 64;

  private static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(VerdaProbe.class, "catalogue.csv");

  private final AccountSettings account;
  private final Prices prices;
  private final VerdaToken token;
  private final ProbeClient client;

  VerdaProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    this.token = new VerdaToken(account);
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            HttpCall.Signer.NONE,
            // No rate is published; a round is three calls, and sometimes two tokens.
            CallBudget.of(account, 16, 1, Duration.ofSeconds(10)));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    return run.end(token.with(run, header -> market(run, header)));
  }

  private CompletableFuture<List<Observation>> market(ProbeRun run, String header) {
    return run.send(HttpCall.get("/instance-types").header("Authorization", header))
        .thenApply(answer -> run.rows(answer.json().elements(), VerdaProbe::type))
        .thenCompose(
            types ->
                run.each(
                    List.of(CapacityType.ON_DEMAND, CapacityType.SPOT),
                    CapacityType::text,
                    market -> availability(run, header, market, types)));
  }

  private CompletableFuture<List<Observation>> availability(
      ProbeRun run, String header, CapacityType market, List<Type> types) {
    HttpCall call =
        HttpCall.get("/instance-availability")
            .with("is_spot", String.valueOf(market == CapacityType.SPOT))
            .header("Authorization", header);
    return run.send(call)
        .thenApply(
            answer -> run.rows(answer.json().elements(), row -> location(row, market, types, run)));
  }

  private Stream<Observation> location(
      JsonView row, CapacityType market, List<Type> types, ProbeRun run) {
    String location = row.text("location_code");
    if (!account.regions().isEmpty() && !account.regions().contains(location)) {
      return Stream.empty();
    }
    Set<String> available = new TreeSet<>();
    row.list("availabilities").forEach(type -> available.add(type.text()));
    return types.stream()
        .map(type -> observation(type, location, market, available.contains(type.name()), run));
  }

  /** Machines without GPUs, and with GPUs that no job can ask for, are left out. */
  private static Stream<Type> type(JsonView row) {
    int gpus = row.object("gpu").integer("number_of_gpus");
    if (gpus < 1 || gpus > MOST_GPUS) {
      return Stream.empty();
    }
    int memory =
        row.optionalObject("gpu_memory")
            .flatMap(m -> m.optionalDecimal("size_in_gigabytes"))
            .map(all -> all.intValue() / gpus)
            .orElse(0);
    Optional<GpuModel> gpu = VerdaGpus.of(row.text("model"), memory);
    return gpu.stream().map(model -> type(row, model, gpus));
  }

  private static Type type(JsonView row, GpuModel gpu, int gpus) {
    return new Type(
        row.text("instance_type"),
        new NodeShape(
            gpu,
            gpus,
            count(row.optionalObject("cpu").flatMap(cpu -> cpu.optionalDecimal("number_of_cores"))),
            count(
                row.optionalObject("memory")
                    .flatMap(memory -> memory.optionalDecimal("size_in_gigabytes")))),
        row.optionalDecimal("price_per_hour"),
        row.optionalDecimal("spot_price").or(() -> row.optionalDecimal("spot_price_per_hour")));
  }

  private static int count(Optional<BigDecimal> number) {
    return number.map(n -> Math.clamp(n.longValue(), 0, 1_000_000)).orElse(0);
  }

  private Observation observation(
      Type type, String location, CapacityType market, boolean available, ProbeRun run) {
    int gpus = type.shape().gpus();
    Optional<UsdPerGpuHour> onDemand = type.onDemand().flatMap(usd -> prices.listNode(usd, gpus));
    Optional<UsdPerGpuHour> spot = type.spot().flatMap(usd -> prices.marketNode(usd, gpus));
    return CATALOGUE.complete(
        new Observation(
            new MarketKey(
                "verda", account.name(), location, location, type.name(), market, Optional.empty()),
            type.shape(),
            market == CapacityType.SPOT ? spot : onDemand,
            onDemand,
            available ? Availability.AVAILABLE : Availability.UNAVAILABLE,
            Trust.OFFERED,
            run.now(),
            run.now(),
            SOURCE),
        prices);
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  /** Without the credentials. */
  @Override
  public String toString() {
    return "VerdaProbe[" + account.name() + ']';
  }

  /**
   * A row of the types.
   *
   * @param onDemand USD an hour for the whole machine
   * @param spot likewise
   */
  private record Type(
      String name, NodeShape shape, Optional<BigDecimal> onDemand, Optional<BigDecimal> spot) {}
}
