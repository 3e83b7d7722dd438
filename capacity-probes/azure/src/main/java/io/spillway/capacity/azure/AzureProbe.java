package io.spillway.capacity.azure;

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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One subscription. Azure's library gives the identity; the calls are made by the shared HTTP
 * pattern, because the management library brings network, storage and authorisation with it,
 * unfolds the 2.5 MB list of all sizes of a region into objects, and has no spot placement scores.
 */
final class AzureProbe implements CapacityProbe {
  private static final URI MANAGEMENT = URI.create("https://management.azure.com");

  /** Azure lets a reader make 250 calls at once and 25 a second; others read there too. */
  private static final int BURST = 50;

  private static final double PER_SECOND = 5;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private static final int LANES = 2;
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final List<String> regions;
  private final AzureLogin login;
  private final CallBudget budget;
  private final ProbeClient client;
  private final AzureSkus skus;
  private final AzureQuota quota;
  private final AzureScores scores;
  private final AzurePrices prices;
  private final AzureReservations reservations;
  private final AzureMarket market;

  /**
   * @throws IllegalArgumentException if the settings cannot work, naming the one that cannot
   */
  AzureProbe(AccountSettings account) {
    String subscription =
        account
            .accountId()
            .filter(id -> !id.isBlank())
            .orElseThrow(
                () -> new IllegalArgumentException("account-id is missing: the subscription's id"));
    if (account.regions().isEmpty()) {
      throw new IllegalArgumentException("regions is missing: the regions to observe");
    }
    String root = "/subscriptions/" + HttpCall.encode(subscription);
    this.regions = account.regions();
    this.market = new AzureMarket(account.name(), Prices.of(account));
    this.login = AzureLogin.of(account);
    this.budget = CallBudget.of(account, BURST, PER_SECOND, LONGEST_WAIT);
    this.client = new ProbeClient(account, MANAGEMENT, login.signer(), budget);
    this.skus = new AzureSkus(root);
    this.quota = new AzureQuota(root);
    this.scores = new AzureScores(root);
    this.prices = new AzurePrices(account);
    this.reservations = new AzureReservations(root, regions);
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
            .thenCompose(ready -> sold(run))
            .thenCompose(sold -> said(interest, sold, run));
    return run.end(seen);
  }

  /** What a region sells. */
  record Sold(String region, List<AzureSku> skus) {}

  /** A region whose list is being read. */
  private record Read(String region, CompletableFuture<List<Sold>> list) {}

  /** Two lists at a time, because each is large while it is read. */
  private CompletableFuture<List<Sold>> sold(ProbeRun run) {
    List<String> due = skus.due(regions, run);
    List<Read> lists = new ArrayList<>();
    List<CompletableFuture<?>> lanes = new ArrayList<>(Collections.nCopies(LANES, DONE));
    for (String region : regions) {
      if (due.contains(region)) {
        int lane = lists.size() % LANES;
        CompletableFuture<List<Sold>> list =
            lanes
                .get(lane)
                .handle((done, failure) -> region)
                .thenCompose(next -> skus.of(next, run))
                .thenApply(found -> List.of(new Sold(region, found)));
        lists.add(new Read(region, list));
        lanes.set(lane, list);
      }
    }
    List<Sold> known = new ArrayList<>();
    for (String region : regions) {
      if (!due.contains(region)) {
        skus.known(region, run).ifPresent(found -> known.add(new Sold(region, found)));
      }
    }
    return run.each(lists, Read::region, Read::list)
        .thenApply(
            read -> {
              List<Sold> all = new ArrayList<>(known);
              all.addAll(read);
              return all;
            });
  }

  private CompletableFuture<List<Observation>> said(
      Set<String> interest, List<Sold> sold, ProbeRun run) {
    CompletableFuture<Map<AzureScores.Place, AzureScores.Score>> scored =
        run.optional("spot placement scores", scores.of(interest, sold, run), Map.of());
    CompletableFuture<List<Observation>> reserved =
        run.optional(
            "capacity reservations",
            reservations.read(run).thenApply(all -> market.reserved(all, run.now())),
            List.of());
    return run.each(
            sold,
            Sold::region,
            part ->
                run.optional(part.region() + " quota", quota.of(part.region(), run), Map.of())
                    .thenCompose(
                        left ->
                            prices
                                .of(part, run)
                                .thenCombine(
                                    scored,
                                    (priced, spot) ->
                                        market.sold(part, left, priced, spot, run.now()))))
        .thenCombine(
            reserved,
            (open, held) -> {
              List<Observation> all = new ArrayList<>(open);
              all.addAll(held);
              return List.copyOf(all);
            });
  }
}
