package io.spillway.capacity.gcp;

import io.spillway.capacity.gcp.GcpAdvice.Spot;
import io.spillway.capacity.gcp.GcpMachines.Held;
import io.spillway.capacity.gcp.GcpPriceList.Parts;
import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.market.Observation;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One project. Google's library gives the identity; the calls are made by the shared HTTP pattern,
 * because the Compute client brings 26 MB of classes, holds a thread for each call, and of the
 * version that is current here does not know the capacity advice, which is the best word on spot.
 */
final class GcpProbe implements CapacityProbe {
  private static final URI COMPUTE = URI.create("https://compute.googleapis.com");

  /** A project may read about 1,500 times a minute; others read there too. */
  private static final int BURST = 100;

  private static final double PER_SECOND = 8;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private final List<String> regions;
  private final GcpLogin login;
  private final CallBudget budget;
  private final ProbeClient client;
  private final GcpMachines machines;
  private final GcpQuota quota;
  private final GcpAdvice advice;
  private final GcpPriceList priceList;
  private final GcpMarket market;

  /**
   * @throws IllegalArgumentException if the settings cannot work, naming the one that cannot
   */
  GcpProbe(AccountSettings account) {
    String project =
        account
            .accountId()
            .filter(id -> !id.isBlank())
            .orElseThrow(
                () -> new IllegalArgumentException("account-id is missing: the project's id"));
    if (account.regions().isEmpty()) {
      throw new IllegalArgumentException("regions is missing: the regions to observe");
    }
    String root = "/compute/v1/projects/" + HttpCall.encode(project);
    this.regions = account.regions();
    this.market = new GcpMarket(account.name(), Prices.of(account));
    this.login = GcpLogin.of(account);
    this.budget = CallBudget.of(account, BURST, PER_SECOND, LONGEST_WAIT);
    this.client = new ProbeClient(account, COMPUTE, login.signer(), budget);
    this.machines = new GcpMachines(root, regions);
    this.quota = new GcpQuota(root);
    this.advice = new GcpAdvice(root);
    this.priceList = new GcpPriceList(account, login.signer());
  }

  @Override
  public Optional<Allowance> budget() {
    return Optional.of(budget.allowance());
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    CompletableFuture<List<Observation>> seen =
        login
            .ready()
            .thenCompose(ready -> machines.sold(run))
            .thenCompose(sold -> priced(interest, sold, run));
    return run.end(seen);
  }

  private CompletableFuture<List<Observation>> priced(
      Set<String> interest, List<GcpMachine> sold, ProbeRun run) {
    return priceList.read(run).thenCompose(parts -> said(interest, sold, parts, run));
  }

  private CompletableFuture<List<Observation>> said(
      Set<String> interest, List<GcpMachine> sold, Parts parts, ProbeRun run) {
    List<GcpMachine> wanted =
        sold.stream().filter(machine -> interest.contains(machine.type())).toList();
    CompletableFuture<Map<String, Spot>> spots = advice.of(wanted, run);
    CompletableFuture<List<Held>> held =
        run.optional("reservations", machines.reserved(run), List.of());
    return run.each(regions, region -> region, region -> region(region, sold, parts, spots, run))
        .thenCombine(
            held,
            (open, reserved) -> {
              List<Observation> all = new ArrayList<>(open);
              all.addAll(market.reserved(reserved, sold, parts, run.now()));
              return List.copyOf(all);
            });
  }

  private CompletableFuture<List<Observation>> region(
      String region,
      List<GcpMachine> sold,
      Parts parts,
      CompletableFuture<Map<String, Spot>> spots,
      ProbeRun run) {
    List<GcpMachine> here =
        sold.stream().filter(machine -> machine.region().equals(region)).toList();
    return run.optional(region + " quota", quota.left(region, run), Map.of())
        .thenCombine(spots, (left, spot) -> market.sold(here, left, parts, spot, run.now()));
  }
}
