package io.spillway.capacity.oci;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import io.spillway.capacity.spi.AccountSettings;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Oracle's public price list, the one behind its cost estimator: two files without a login. A shape
 * costs its GPU product's price times its GPUs, in every commercial region alike. Preemptible
 * capacity costs half (OCI documentation). Read once a day.
 */
final class OciPrices {
  private static final URI LIST = URI.create("https://www.oracle.com");
  private static final String FOLDER = "/a/ocom/docs/cloudestimator2/data/";
  private static final Duration FRESH = Duration.ofHours(24);
  private static final Duration USABLE = Duration.ofDays(7);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  static final BigDecimal PREEMPTIBLE = new BigDecimal("0.5");

  private final ProbeClient client;
  private final Remembered<String, Map<String, Price>> remembered = new Remembered<>(FRESH, USABLE);

  OciPrices(AccountSettings account) {
    this.client =
        new ProbeClient(
            account, LIST, HttpCall.Signer.NONE, CallBudget.of(account, 2, 1, LONGEST_WAIT));
  }

  /**
   * What a shape costs.
   *
   * @param node USD per node-hour
   * @param preemptible whether it is sold so
   */
  record Price(BigDecimal node, boolean preemptible) {}

  /** Prices by shape; when the list cannot be read, none, and that is told. */
  CompletableFuture<Told<Map<String, Price>>> read(ProbeRun round) {
    ProbeRun run = round.at(client);
    return run.optional(
        "price list",
        remembered.get("list", "price list", run, () -> list(run)),
        new Told<>(Map.of(), Instant.EPOCH));
  }

  private static CompletableFuture<Map<String, Price>> list(ProbeRun run) {
    CompletableFuture<Map<String, BigDecimal>> products =
        run.send(HttpCall.get(FOLDER + "products.json"))
            .thenApply(answer -> products(items(answer.json())));
    return run.send(HttpCall.get(FOLDER + "shapes.json"))
        .thenCombine(products, (answer, byPart) -> shapes(items(answer.json()), byPart));
  }

  private static List<JsonView> items(JsonView answer) {
    return answer.node().isArray() ? answer.elements() : answer.list("items");
  }

  private static Map<String, BigDecimal> products(List<JsonView> items) {
    Map<String, BigDecimal> byPart = new HashMap<>();
    for (JsonView item : items) {
      if (item.optionalText("pricetype").filter("HOUR"::equals).isPresent()) {
        payAsYouGo(item).ifPresent(price -> byPart.put(item.text("partNumber"), price));
      }
    }
    return byPart;
  }

  private static Optional<BigDecimal> payAsYouGo(JsonView item) {
    return item.optionalList("currencyCodeLocalizations").stream()
        .filter(money -> money.optionalText("currencyCode").filter("USD"::equals).isPresent())
        .flatMap(money -> money.optionalList("prices").stream())
        .filter(price -> price.optionalText("model").filter("PAY_AS_YOU_GO"::equals).isPresent())
        .map(price -> price.decimal("value"))
        .findFirst();
  }

  private static Map<String, Price> shapes(List<JsonView> items, Map<String, BigDecimal> byPart) {
    Map<String, Price> prices = new HashMap<>();
    for (JsonView item : items) {
      int gpus = item.optionalInteger("gpuQty").orElse(0);
      String name = item.optionalText("name").orElse("");
      if (gpus < 1 || name.isEmpty()) {
        continue;
      }
      List<BigDecimal> perGpu =
          item.optionalList("products").stream()
              .map(product -> byPart.get(product.optionalText("partNumber").orElse("")))
              .filter(java.util.Objects::nonNull)
              .toList();
      // A GPU shape has one product; several would make the sum a guess.
      if (perGpu.size() == 1 && perGpu.getFirst().signum() > 0) {
        prices.put(
            name,
            new Price(
                perGpu.getFirst().multiply(BigDecimal.valueOf(gpus)),
                item.flag("allowPreemptible", false)));
      }
    }
    if (prices.isEmpty() && !items.isEmpty()) {
      throw new MalformedException("the price list holds no GPU shape");
    }
    return Map.copyOf(prices);
  }
}
