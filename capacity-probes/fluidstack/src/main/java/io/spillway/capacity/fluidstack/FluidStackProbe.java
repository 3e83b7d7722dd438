package io.spillway.capacity.fluidstack;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.LeftOut;
import io.spillway.capacity.http.MalformedException;
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
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * {@code GET /list_available_configurations}: GPU type, counts, regions and the price of one GPU of
 * every configuration that can be had now. What is not listed is not available, by FluidStack's
 * word: of what policies want in the account's regions, and of what was listed before, that is
 * told. On demand only; preemptible machines have no price in this API. CPUs and memory are told
 * for running machines only.
 */
final class FluidStackProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://platform.fluidstack.io");
  private static final HttpCall CONFIGURATIONS = HttpCall.get("/list_available_configurations");
  private static final String SOURCE = "list_available_configurations";

  private final AccountSettings account;
  private final Prices prices;
  private final ProbeClient client;
  private final LeftOut leftOut = new LeftOut();

  FluidStackProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    String key = Credentials.required(account, "api-key");
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            (call, providersTime) -> call.header("api-key", key),
            // No rate is published.
            CallBudget.of(account, 6, 0.5, Duration.ofSeconds(5)));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    return run.end(
        run.send(CONFIGURATIONS).thenApply(answer -> read(answer.json(), interest, run)));
  }

  private List<Observation> read(JsonView answer, Set<String> interest, ProbeRun run) {
    Map<MarketKey, Observation> market = new LinkedHashMap<>();
    run.rows(answer.elements(), row -> configuration(row, run))
        .forEach(seen -> market.putIfAbsent(seen.key(), seen));
    for (String region : account.regions()) {
      wanted(interest, region, run).forEach(seen -> market.putIfAbsent(seen.key(), seen));
    }
    return leftOut.completed(market.values(), key -> true, run);
  }

  private Stream<Observation> configuration(JsonView row, ProbeRun run) {
    String gpuType = row.text("gpu_type");
    GpuModel gpu = FluidStackGpus.ALIASES.get(gpuType);
    Optional<UsdPerGpuHour> price =
        row.optionalDecimal("price_per_gpu_hr").flatMap(prices::listGpu);
    List<Observation> offers = new ArrayList<>();
    for (JsonView region : row.list("regions")) {
      for (JsonView count : row.list("gpu_counts")) {
        int gpus = gpus(count);
        if (gpu != null && inScope(region.text())) {
          offers.add(
              observation(
                  FluidStackGpus.instanceType(gpuType, gpus),
                  new NodeShape(gpu, gpus, 0, 0),
                  region.text(),
                  price,
                  Availability.AVAILABLE,
                  run));
        }
      }
    }
    return offers.stream();
  }

  private static int gpus(JsonView count) {
    if (!count.node().isInt() || count.node().intValue() < 1 || count.node().intValue() > 64) {
      throw new MalformedException("field '" + count.path() + "' is no count of GPUs");
    }
    return count.node().intValue();
  }

  private boolean inScope(String region) {
    return !region.isBlank() && (account.regions().isEmpty() || account.regions().contains(region));
  }

  private Stream<Observation> wanted(Set<String> interest, String region, ProbeRun run) {
    return interest.stream()
        .flatMap(
            type ->
                FluidStackGpus.machine(type).stream()
                    .map(
                        machine ->
                            observation(
                                type,
                                new NodeShape(machine.gpu(), machine.count(), 0, 0),
                                region,
                                Optional.empty(),
                                Availability.UNAVAILABLE,
                                run)));
  }

  private Observation observation(
      String type,
      NodeShape shape,
      String region,
      Optional<UsdPerGpuHour> price,
      Availability availability,
      ProbeRun run) {
    return new Observation(
        new MarketKey(
            "fluidstack",
            account.name(),
            region,
            region,
            type,
            CapacityType.ON_DEMAND,
            Optional.empty()),
        shape,
        price,
        price,
        availability,
        Trust.OFFERED,
        run.now(),
        run.now(),
        SOURCE);
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "FluidStackProbe[" + account.name() + ']';
  }
}
