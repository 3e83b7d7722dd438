package io.spillway.capacity.gcp;

import io.spillway.capacity.http.JsonView;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A line of the billing catalogue that is a part of a GPU machine's price: a core, a GiB of memory
 * or a GPU for an hour. Which machines it is a part of stands only in its description, in words
 * that differ from family to family and have changed before.
 *
 * @param part the part that it prices, in our words: {@code a3 core}
 * @param usd for one of it and one hour
 */
record GcpSku(String part, boolean spot, List<String> regions, BigDecimal usd) {
  /** Commitments, and ways to buy that are neither on demand nor spot. */
  private static final Pattern OTHER =
      Pattern.compile(
          "commitment|reserved|reservation|calendar|flex.?start|dws|defined duration|sole tenan"
              + "|custom|extended|upgrade premium");

  private static final Pattern SERIES =
      Pattern.compile("\\b(a2|a3 ?plus|a3 ?mega|a3 ?ultra|a3|g2|g4) instance (core|ram)\\b");

  static Stream<GcpSku> of(JsonView row) {
    String words = row.text("description").toLowerCase(Locale.ROOT);
    Optional<String> part = OTHER.matcher(words).find() ? Optional.empty() : part(words);
    if (part.isEmpty()) {
      return Stream.empty();
    }
    String usage =
        row.optionalObject("category")
            .flatMap(category -> category.optionalText("usageType"))
            .orElse("");
    if (usage.startsWith("Commit")) {
      return Stream.empty();
    }
    // Some spot lines are marked as on demand; their description tells.
    boolean spot = usage.equals("Preemptible") || words.contains("preemptible");
    List<String> regions = row.optionalList("serviceRegions").stream().map(JsonView::text).toList();
    return usd(row)
        .filter(price -> price.signum() > 0)
        .map(price -> new GcpSku(part.get(), spot, regions, price))
        .stream();
  }

  private static Optional<String> part(String words) {
    var series = SERIES.matcher(words);
    if (series.find()) {
      return Optional.of(series.group(1).replace(" ", "") + ' ' + series.group(2));
    }
    if (!words.contains("gpu") && !words.contains("nvidia")) {
      return Optional.empty();
    }
    if (words.contains("gb200") || words.contains("gb300")) {
      return Optional.empty();
    }
    if (words.contains("a100")) {
      return Optional.of(words.contains("80gb") ? "a100-80gb gpu" : "a100 gpu");
    }
    if (words.contains("h100")) {
      boolean mega = words.contains("mega") || words.contains("plus");
      return Optional.of(mega ? "h100-mega gpu" : "h100 gpu");
    }
    return Stream.of("h200", "b200", "l4")
        .filter(name -> Pattern.compile("\\b" + name + "\\b").matcher(words).find())
        .map(name -> name + " gpu")
        .findFirst();
  }

  /** The price per hour of the first unit that is not free. */
  private static Optional<BigDecimal> usd(JsonView row) {
    return row.optionalList("pricingInfo").stream()
        .reduce((before, last) -> last)
        .map(info -> info.object("pricingExpression"))
        .filter(price -> price.optionalText("usageUnit").orElse("").matches("h|GiBy\\.h"))
        .flatMap(
            price ->
                price.optionalList("tieredRates").stream()
                    .map(rate -> GcpAdvice.money(rate.object("unitPrice")))
                    .filter(usd -> usd.signum() > 0)
                    .findFirst());
  }
}
