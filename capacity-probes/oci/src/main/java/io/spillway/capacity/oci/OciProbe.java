package io.spillway.capacity.oci;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One tenancy. The SDK gives its identity and signs; the calls are made by the shared HTTP pattern,
 * because the SDK's clients hide {@code Retry-After} and {@code Date}, swallow answers of any size,
 * and need an implementation of JAX-RS that would meet the server's own.
 */
final class OciProbe implements CapacityProbe {
  /**
   * For each region, which counts for itself. Oracle publishes no limit; its users see 429 from
   * about ten calls a second.
   */
  private static final int BURST = 10;

  private static final double PER_SECOND = 5;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private final OciLogin login;
  private final OciPrices priceList;
  private final List<OciRegion> regions = new ArrayList<>();
  private final List<CallBudget> budgets = new ArrayList<>();
  private final ProbeClient first;

  /**
   * @throws IllegalArgumentException if the settings cannot work, naming the one that cannot
   */
  OciProbe(AccountSettings account) {
    String tenancy = Credentials.required(account, "tenancy");
    if (account.regions().isEmpty()) {
      throw new IllegalArgumentException("regions is missing: the tenancy's regions to observe");
    }
    this.login = OciLogin.of(account);
    this.priceList = new OciPrices(account);
    Tenancy tenant =
        new Tenancy(
            account,
            tenancy,
            Credentials.orElse(account, "compartment", account.accountId().orElse(tenancy)),
            Prices.of(account));
    for (String region : account.regions()) {
      CallBudget budget = CallBudget.of(account, BURST, PER_SECOND, LONGEST_WAIT);
      budgets.add(budget);
      regions.add(
          new OciRegion(
              tenant,
              region,
              client(account, "https://iaas." + region + ".oraclecloud.com", budget),
              client(account, "https://identity." + region + ".oci.oraclecloud.com", budget),
              client(account, "https://limits." + region + ".oci.oraclecloud.com", budget)));
    }
    this.first = regions.getFirst().compute();
  }

  /**
   * What all regions have in common.
   *
   * @param id the tenancy's OCID, which capacity reports and limits belong to
   * @param compartment where capacity reservations lie
   */
  record Tenancy(AccountSettings account, String id, String compartment, Prices prices) {}

  private ProbeClient client(AccountSettings account, String address, CallBudget budget) {
    URI endpoint = account.endpoint().orElse(URI.create(address));
    return new ProbeClient(account, endpoint, login.signer(endpoint), budget);
  }

  /** That of the region which has least left. */
  @Override
  public Optional<Allowance> budget() {
    return budgets.stream()
        .map(CallBudget::allowance)
        .min(Comparator.comparingInt(Allowance::left));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = first.run(now);
    CompletableFuture<List<Observation>> seen =
        login
            .ready()
            .thenCompose(ready -> priceList.read(run))
            .thenCompose(
                prices ->
                    run.each(
                        regions, OciRegion::name, region -> region.observe(interest, prices, run)));
    return run.end(seen);
  }
}
