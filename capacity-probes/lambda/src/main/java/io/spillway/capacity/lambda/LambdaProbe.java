package io.spillway.capacity.lambda;

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
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * {@code GET /instance-types}: every type, the price of the whole machine in cents, and the regions
 * that have it now. A region that a listed type does not name has none of it, by Lambda's word; a
 * type that is not listed says nothing. Stock moves in seconds, so an answer is good for one
 * interval at most. Lambda asks for about one call a second over all of an account.
 */
final class LambdaProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://cloud.lambda.ai/api/v1");
  private static final HttpCall TYPES = HttpCall.get("/instance-types");
  private static final String SOURCE = "instance-types";

  /** Where Lambda sold machines when its regions were read, late in 2025. */
  private static final List<String> REGIONS =
      List.of(
          "asia-northeast-1",
          "asia-northeast-2",
          "asia-south-1",
          "australia-east-1",
          "europe-central-1",
          "europe-south-1",
          "me-west-1",
          "us-east-1",
          "us-east-2",
          "us-east-3",
          "us-midwest-1",
          "us-south-1",
          "us-south-2",
          "us-south-3",
          "us-west-1",
          "us-west-2",
          "us-west-3");

  private static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(LambdaProbe.class, "catalogue.csv");

  private final AccountSettings account;
  private final Prices prices;
  private final ProbeClient client;

  LambdaProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            HttpCall.Signer.bearer(Credentials.required(account, "api-key")),
            CallBudget.of(account, 2, 1, Duration.ofSeconds(10)));
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    return run.end(run.send(TYPES).thenApply(answer -> read(answer.json(), run)));
  }

  private List<Observation> read(JsonView answer, ProbeRun run) {
    List<Type> types = run.rows(answer.object("data").members().values(), LambdaProbe::type);
    Collection<String> regions = regions(types);
    List<Observation> observations = new ArrayList<>();
    for (Type type : types) {
      for (String region : regions) {
        observations.add(CATALOGUE.complete(observation(type, region, run), prices));
      }
    }
    return observations;
  }

  private Collection<String> regions(List<Type> types) {
    if (!account.regions().isEmpty()) {
      return account.regions();
    }
    Set<String> regions = new TreeSet<>(REGIONS);
    types.forEach(type -> regions.addAll(type.regions()));
    return regions;
  }

  /** Machines without GPUs, and with GPUs that no job can ask for, are left out. */
  private static Stream<Type> type(JsonView row) {
    JsonView about = row.object("instance_type");
    String name = about.text("name");
    Optional<GpuModel> gpu = LambdaGpus.of(name);
    if (gpu.isEmpty()) {
      return Stream.empty();
    }
    JsonView specs = about.object("specs");
    NodeShape shape =
        new NodeShape(
            gpu.get(),
            specs.integer("gpus", 1, 64),
            specs.integer("vcpus", 0, 10_000),
            specs.integer("memory_gib", 0, 1_000_000));
    Set<String> available = new TreeSet<>();
    row.list("regions_with_capacity_available")
        .forEach(region -> available.add(region.text("name")));
    return Stream.of(
        new Type(name, shape, about.optionalDecimal("price_cents_per_hour"), available));
  }

  private Observation observation(Type type, String region, ProbeRun run) {
    Optional<UsdPerGpuHour> price =
        type.centsPerHour()
            .flatMap(cents -> prices.listNode(cents.movePointLeft(2), type.shape().gpus()));
    return new Observation(
        new MarketKey(
            "lambda",
            account.name(),
            region,
            region,
            type.name(),
            CapacityType.ON_DEMAND,
            Optional.empty()),
        type.shape(),
        price,
        price,
        type.regions().contains(region) ? Availability.AVAILABLE : Availability.UNAVAILABLE,
        Trust.OFFERED,
        run.now(),
        run.now(),
        SOURCE);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "LambdaProbe[" + account.name() + ']';
  }

  /**
   * A row of the answer.
   *
   * @param centsPerHour of the whole machine
   * @param regions that have one now
   */
  private record Type(
      String name, NodeShape shape, Optional<BigDecimal> centsPerHour, Set<String> regions) {}
}
