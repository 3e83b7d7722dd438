package io.spillway.capacity.nebius;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.nebius.NebiusPrices.Wanted;
import io.spillway.capacity.nebius.api.billing.CalculatorServiceGrpc;
import io.spillway.capacity.nebius.api.capacity.CapacityBlockGroup;
import io.spillway.capacity.nebius.api.capacity.CapacityBlockGroupServiceGrpc;
import io.spillway.capacity.nebius.api.capacity.ListCapacityBlockGroupsRequest;
import io.spillway.capacity.nebius.api.capacity.ListCapacityBlockGroupsResponse;
import io.spillway.capacity.nebius.api.capacity.ListResourceAdviceRequest;
import io.spillway.capacity.nebius.api.capacity.ListResourceAdviceResponse;
import io.spillway.capacity.nebius.api.capacity.ResourceAdvice;
import io.spillway.capacity.nebius.api.capacity.ResourceAdviceServiceGrpc;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.market.Observation;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Lists the advice of a tenant, which covers all its regions, shapes and the three markets; its
 * capacity block groups, for what is reserved; and the prices that are not known or too old. Advice
 * is no promise. An account is a tenant.
 */
final class NebiusProbe implements CapacityProbe {
  private static final String ADVICE = "capacity-advisor.billing-cpl";
  private static final String BLOCKS = "capacity-blocks.billing-cpl";
  private static final String DOMAIN = "api.nebius.cloud";
  private static final int PAGE = 200;

  static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(NebiusProbe.class, "catalogue.csv");

  private final AccountSettings account;
  private final String tenant;
  private final NebiusToken token;
  private final NebiusPrices prices;
  private final Prices discount;
  private final ProbeClient client;
  private final NebiusApi api;

  NebiusProbe(AccountSettings account) {
    this.account = account;
    this.tenant = Credentials.required(account, "tenant-id");
    this.token = NebiusToken.of(account);
    this.prices = new NebiusPrices(Credentials.orElse(account, "project-id", ""));
    this.discount = Prices.of(account);
    String domain = Credentials.orElse(account, "domain", DOMAIN);
    // Checks the endpoint, keeps the budget and the limits; the calls are gRPC.
    this.client =
        new ProbeClient(
            account,
            URI.create("https://" + domain),
            HttpCall.Signer.NONE,
            CallBudget.of(account, 60, 5, Duration.ofSeconds(10)));
    this.api =
        new NebiusApi(account.endpoint().map(URI::toString).orElse("https://{service}." + domain));
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    return run.end(
        token
            .current(api, run)
            .thenCompose(bearer -> round(new NebiusCalls(api, token, bearer, run))));
  }

  private CompletableFuture<List<Observation>> round(NebiusCalls calls) {
    CompletableFuture<List<Advised>> advice =
        calls
            .all(
                ADVICE,
                ResourceAdviceServiceGrpc.getListMethod(),
                page ->
                    ListResourceAdviceRequest.newBuilder()
                        .setParentId(tenant)
                        .setPageSize(PAGE)
                        .setPageToken(page)
                        .build(),
                ListResourceAdviceResponse::getItemsList,
                ListResourceAdviceResponse::getNextPageToken)
            .thenApply(items -> calls.run().rows(items, this::advised));
    CompletableFuture<List<CapacityBlockGroup>> blocks =
        calls
            .run()
            .optional(
                "capacity block groups",
                calls.all(
                    BLOCKS,
                    CapacityBlockGroupServiceGrpc.getListMethod(),
                    page ->
                        ListCapacityBlockGroupsRequest.newBuilder()
                            .setParentId(tenant)
                            .setPageSize(PAGE)
                            .setPageToken(page)
                            .build(),
                    ListCapacityBlockGroupsResponse::getItemsList,
                    ListCapacityBlockGroupsResponse::getNextPageToken),
                List.of());
    return advice
        .thenCompose(advised -> priced(advised, calls))
        .thenCombine(
            blocks,
            (advised, reserved) ->
                new NebiusBoard(account.name(), prices, discount, calls.run())
                    .observations(advised, reserved));
  }

  private CompletableFuture<List<Advised>> priced(List<Advised> advised, NebiusCalls calls) {
    List<Wanted> wanted = advised.stream().flatMap(Advised::wanted).distinct().toList();
    return prices
        .refresh(
            wanted,
            calls.run(),
            request ->
                calls.ask(NebiusPrices.SERVICE, CalculatorServiceGrpc.getEstimateMethod(), request))
        .thenApply(done -> advised);
  }

  private Stream<Advised> advised(ResourceAdvice item) {
    String region = item.getSpec().getRegion();
    if (region.isEmpty() || (!account.regions().isEmpty() && !account.regions().contains(region))) {
      return Stream.empty();
    }
    Optional<NebiusShape> shape = NebiusShape.of(item.getSpec().getComputeInstance());
    return shape.map(known -> new Advised(region, known, item)).stream();
  }

  @Override
  public void close() {
    api.close();
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "NebiusProbe[" + account.name() + ']';
  }

  /** Advice on a shape that is known. */
  record Advised(String region, NebiusShape shape, ResourceAdvice item) {
    Stream<Wanted> wanted() {
      Wanted regular = new Wanted(shape.platform(), shape.preset(), false);
      return item.getStatus().hasPreemptible()
          ? Stream.of(regular, new Wanted(shape.platform(), shape.preset(), true))
          : Stream.of(regular);
    }
  }
}
