package io.spillway.capacity.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.Trust;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * List prices on demand (Linux, shared tenancy) of each type in all regions: one call of the price
 * list's query API a type and day. The bulk files hold the same in hundreds of megabytes. A price
 * that could not be asked again is kept with the time of its answer; a type that was never answered
 * has the shipped figures. One run at a time; snapshots go anywhere.
 */
final class ListPrices {
  private static final Duration FRESH = Duration.ofHours(24);

  /** After a failure: permissions do not come in a minute. */
  private static final Duration PAUSE = Duration.ofHours(1);

  private static final int MAX_PAGES = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Answer> byType = new ConcurrentHashMap<>();
  private volatile Optional<ProbeException> lastFailure = Optional.empty();
  private volatile Instant pausedUntil = Instant.MIN;

  /**
   * Asks for the types whose answer is older than a day, as far as the time goes.
   *
   * @return what is known now, and why there is not more
   */
  Snapshot asOf(Instant now, Set<String> types, PriceList list, Patience patience) {
    if (!now.isBefore(pausedUntil)) {
      lastFailure = Optional.empty();
      for (String type : types) {
        Answer known = byType.get(type);
        if (known == null || known.at().plus(FRESH).isBefore(now)) {
          if (patience.isOver() || !ask(now, type, list)) {
            break;
          }
        }
      }
    }
    return known();
  }

  /** What was answered so far. */
  Snapshot known() {
    return new Snapshot(
        Map.copyOf(byType),
        lastFailure.map(
            failure ->
                "list prices: " + failure.getMessage() + "; shipped figures where none is known"));
  }

  private boolean ask(Instant now, String type, PriceList list) {
    Map<String, BigDecimal> byRegion = new HashMap<>();
    Optional<String> token = Optional.empty();
    try {
      for (int page = 0; page < MAX_PAGES; page++) {
        PriceList.Page answer = list.products(filters(type), token);
        answer.products().forEach(product -> read(product, type, byRegion));
        token = answer.nextToken();
        if (token.isEmpty()) {
          break;
        }
      }
    } catch (RuntimeException e) {
      lastFailure = Optional.of(AwsFaults.of("GetProducts", e).failure());
      pausedUntil = now.plus(lastFailure.get().retryAfter().orElse(PAUSE));
      return false;
    }
    byType.put(type, new Answer(now, Map.copyOf(byRegion)));
    return true;
  }

  private static Map<String, String> filters(String type) {
    return Map.of(
        "instanceType", type,
        "operatingSystem", "Linux",
        "tenancy", "Shared",
        "preInstalledSw", "NA",
        "capacitystatus", "Used",
        "marketoption", "OnDemand");
  }

  /** A product that cannot be read, or is not what was asked for, is left out. */
  private static void read(String product, String type, Map<String, BigDecimal> byRegion) {
    try {
      JsonNode root = JSON.readTree(product);
      JsonNode attributes = root.path("product").path("attributes");
      String region = attributes.path("regionCode").asText();
      if (region.isEmpty() || !attributes.path("instanceType").asText().equals(type)) {
        return;
      }
      for (JsonNode term : root.path("terms").path("OnDemand")) {
        for (JsonNode dimension : term.path("priceDimensions")) {
          if (dimension.path("unit").asText().equals("Hrs")) {
            Amount.positive(dimension.path("pricePerUnit").path("USD").asText())
                .ifPresent(price -> byRegion.put(region, price));
          }
        }
      }
    } catch (JsonProcessingException e) {
      // A product in another form is one price less, not a failure of the list.
      return;
    }
  }

  private record Answer(Instant at, Map<String, BigDecimal> usdPerNodeHourByRegion) {
    Optional<ListPrice> of(String region) {
      return Optional.ofNullable(usdPerNodeHourByRegion.get(region))
          .map(price -> new ListPrice(price, at, Trust.LISTED, "GetProducts"));
    }
  }

  /**
   * A list price.
   *
   * @param at when the price list said so
   */
  record ListPrice(BigDecimal usdPerNodeHour, Instant at, Trust trust, String source) {}

  /**
   * What was known at one time.
   *
   * @param warning why it may be less than it should
   */
  record Snapshot(Map<String, Answer> byType, Optional<String> warning) {
    Optional<ListPrice> of(String type, String region) {
      return Optional.ofNullable(byType.get(type))
          .flatMap(answer -> answer.of(region))
          .or(() -> shipped(type, region));
    }

    private static Optional<ListPrice> shipped(String type, String region) {
      Catalogue catalogue = Catalogue.shipped();
      return catalogue
          .nodeHour(type, region)
          .map(
              price ->
                  new ListPrice(
                      price,
                      catalogue.asOf(),
                      Trust.FALLBACK,
                      "catalogue of " + LocalDate.ofInstant(catalogue.asOf(), ZoneOffset.UTC)));
    }
  }
}
