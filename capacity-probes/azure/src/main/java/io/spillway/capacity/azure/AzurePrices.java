package io.spillway.capacity.azure;

import io.spillway.capacity.azure.AzureProbe.Sold;
import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import io.spillway.capacity.spi.AccountSettings;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The Retail Prices API, without a login: list and spot prices of a region's GPU sizes. Spot moves
 * a few times a month, so half an hour is fresh, and well under the age at which a price is
 * distrusted.
 */
final class AzurePrices {
  private static final URI PUBLIC = URI.create("https://prices.azure.com");
  private static final String PATH = "/api/retail/prices";
  private static final String VERSION = "2023-01-01-preview";
  private static final Duration FRESH = Duration.ofMinutes(30);
  private static final Duration USABLE = Duration.ofHours(12);

  /** As many names as an address holds with room to spare. */
  private static final int SIZES = 12;

  private final ProbeClient client;
  private final Remembered<String, Map<String, Price>> remembered = new Remembered<>(FRESH, USABLE);

  AzurePrices(AccountSettings account) {
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            HttpCall.Signer.NONE,
            CallBudget.of(account, 20, 8, Duration.ofSeconds(20)));
  }

  /** USD per node-hour. */
  record Price(Optional<BigDecimal> onDemand, Optional<BigDecimal> spot) {
    static final Price NONE = new Price(Optional.empty(), Optional.empty());

    private Price with(BigDecimal usd, boolean asSpot) {
      return asSpot ? new Price(onDemand, Optional.of(usd)) : new Price(Optional.of(usd), spot);
    }
  }

  /** Prices by size; when they cannot be read, none, and that is told. */
  CompletableFuture<Told<Map<String, Price>>> of(Sold sold, ProbeRun round) {
    ProbeRun run = round.at(client);
    List<String> sizes = sold.skus().stream().map(AzureSku::size).sorted().toList();
    Told<Map<String, Price>> none = new Told<>(Map.of(), Instant.EPOCH);
    if (sizes.isEmpty()) {
      return CompletableFuture.completedFuture(none);
    }
    String name = sold.region() + " prices";
    return run.optional(
        name,
        remembered.get(sold.region() + sizes, name, run, () -> region(sold.region(), sizes, run)),
        none);
  }

  private static CompletableFuture<Map<String, Price>> region(
      String region, List<String> sizes, ProbeRun run) {
    List<List<String>> parts = new ArrayList<>();
    for (int from = 0; from < sizes.size(); from += SIZES) {
      parts.add(sizes.subList(from, Math.min(sizes.size(), from + SIZES)));
    }
    return run.each(parts, part -> region + " prices", part -> rows(region, part, run))
        .thenApply(AzurePrices::bySize);
  }

  private static CompletableFuture<List<JsonView>> rows(
      String region, List<String> sizes, ProbeRun run) {
    String names =
        sizes.stream()
            .map(size -> "armSkuName eq '" + size + "'")
            .collect(Collectors.joining(" or "));
    HttpCall call =
        HttpCall.get(PATH)
            .with("api-version", VERSION)
            .with(
                "$filter",
                "serviceName eq 'Virtual Machines' and priceType eq 'Consumption' and"
                    + " armRegionName eq '%s' and (%s)".formatted(region, names));
    return run.pages(
        call,
        page -> page.list("Items"),
        page -> page.optionalText("NextPageLink").map(AzureLinks::call));
  }

  /** Rows come per meter; the newest that has begun counts, and the list has no order. */
  private static Map<String, Price> bySize(List<JsonView> rows) {
    Map<String, Price> prices = new HashMap<>();
    Map<String, Instant> begun = new HashMap<>();
    for (JsonView row : rows) {
      String meter = row.optionalText("meterName").orElse("");
      Optional<BigDecimal> usd = row.optionalDecimal("retailPrice");
      if (usd.isEmpty() || usd.get().signum() <= 0 || isOther(row, meter)) {
        continue;
      }
      boolean spot = meter.endsWith(" Spot");
      String size = row.text("armSkuName");
      Instant since = row.optionalInstant("effectiveStartDate").orElse(Instant.EPOCH);
      Instant known = begun.getOrDefault(size + spot, Instant.MIN);
      if (!since.isBefore(known)) {
        begun.put(size + spot, since);
        prices.put(size, prices.getOrDefault(size, Price.NONE).with(usd.get(), spot));
      }
    }
    return Map.copyOf(prices);
  }

  /** Another currency or unit, Windows, dedicated hosts, and the kind of spot before spot. */
  private static boolean isOther(JsonView row, String meter) {
    String product = row.optionalText("productName").orElse("").toLowerCase(Locale.ROOT);
    return !row.optionalText("currencyCode").orElse("USD").equals("USD")
        || !row.optionalText("unitOfMeasure").orElse("1 Hour").equals("1 Hour")
        || !row.optionalText("type").orElse("Consumption").equals("Consumption")
        || meter.contains("Low Priority")
        || product.contains("windows")
        || product.contains("dedicated");
  }
}
