package io.spillway.capacity.nebius;

import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.nebius.api.billing.EstimateRequest;
import io.spillway.capacity.nebius.api.billing.EstimateResponse;
import io.spillway.capacity.nebius.api.billing.ResourceSpec;
import io.spillway.capacity.nebius.api.common.ResourceMetadata;
import io.spillway.capacity.nebius.api.compute.CreateInstanceRequest;
import io.spillway.capacity.nebius.api.compute.InstanceSpec;
import io.spillway.capacity.nebius.api.compute.PreemptibleSpec;
import io.spillway.capacity.nebius.api.compute.ResourcesSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the calculator says that an instance would cost an hour. Asked for each shape and market
 * once in half an hour: prices of the list move a few times a year, but one of preemptible capacity
 * may be an hour old at most to be used. Nothing is created by an estimate.
 */
final class NebiusPrices {
  static final String SERVICE = "api.calculator.billing-data-plane";
  private static final Duration GOOD_FOR = Duration.ofMinutes(30);

  private final String project;
  private final Map<Wanted, Told> told = new ConcurrentHashMap<>();

  /**
   * @param project whose prices are asked; empty for the list's
   */
  NebiusPrices(String project) {
    this.project = project;
  }

  /**
   * Asks for those prices that are not known or too old. A price that is not told is a warning of
   * the round.
   *
   * @param ask makes the call
   */
  CompletableFuture<Void> refresh(
      Collection<Wanted> wanted,
      ProbeRun run,
      Function<EstimateRequest, CompletableFuture<EstimateResponse>> ask) {
    return CompletableFuture.allOf(
        wanted.stream()
            .filter(one -> isOld(one, run.now()))
            .map(
                one ->
                    run.optional(
                        "prices",
                        ask.apply(request(one)).thenAccept(a -> keep(one, a, run.now())),
                        null))
            .toArray(CompletableFuture[]::new));
  }

  private boolean isOld(Wanted wanted, Instant now) {
    Told last = told.get(wanted);
    return last == null || !now.isBefore(last.at().plus(GOOD_FOR));
  }

  private void keep(Wanted wanted, EstimateResponse answer, Instant now) {
    String cost = answer.getHourlyCost().getGeneral().getTotal().getCost();
    try {
      told.put(wanted, new Told(new BigDecimal(cost.length() > 40 ? "" : cost), now));
    } catch (NumberFormatException e) {
      throw new MalformedException("an estimate without a cost");
    }
  }

  /** The last price told, in USD for the whole machine, and when. */
  Optional<Told> of(Wanted wanted) {
    return Optional.ofNullable(told.get(wanted));
  }

  private EstimateRequest request(Wanted wanted) {
    InstanceSpec.Builder spec =
        InstanceSpec.newBuilder()
            .setResources(
                ResourcesSpec.newBuilder()
                    .setPlatform(wanted.platform())
                    .setPreset(wanted.preset()));
    if (wanted.preemptible()) {
      spec.setPreemptible(
          PreemptibleSpec.newBuilder()
              .setOnPreemption(PreemptibleSpec.PreemptionPolicy.STOP)
              .setPriority(1));
    }
    return EstimateRequest.newBuilder()
        .setResourceSpec(
            ResourceSpec.newBuilder()
                .setComputeInstanceSpec(
                    CreateInstanceRequest.newBuilder()
                        .setMetadata(ResourceMetadata.newBuilder().setParentId(project))
                        .setSpec(spec)))
        .build();
  }

  /** What is priced. */
  record Wanted(String platform, String preset, boolean preemptible) {}

  /** A price and when it was told. */
  record Told(BigDecimal usdPerHour, Instant at) {}
}
