package io.spillway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What jobs cost so far, and what they would have cost on demand. */
record MoneySummary(
    int jobs, BigDecimal usd, BigDecimal onDemandEquivalentUsd, BigDecimal gpuHours) {

  /** Asks for each job; those that are not there any more are left out. */
  static MoneySummary of(Http api, Collection<String> jobs)
      throws IOException, InterruptedException {
    BigDecimal usd = BigDecimal.ZERO;
    BigDecimal onDemand = BigDecimal.ZERO;
    BigDecimal hours = BigDecimal.ZERO;
    int counted = 0;
    for (String job : List.copyOf(jobs)) {
      Http.Answer answer = api.get("/api/v1/jobs/" + job);
      JsonNode cost = answer.body().findPath("cost");
      if (answer.status() == 200 && cost.isObject()) {
        usd = usd.add(amount(cost, "usd"));
        onDemand = onDemand.add(amount(cost, "onDemandEquivalentUsd"));
        hours = hours.add(amount(cost, "gpuHours"));
        counted++;
      }
    }
    return new MoneySummary(counted, usd, onDemand, hours);
  }

  private static BigDecimal amount(JsonNode cost, String field) {
    return new BigDecimal(cost.path(field).asText("0"));
  }

  String text() {
    BigDecimal saved = onDemandEquivalentUsd.subtract(usd);
    String share =
        onDemandEquivalentUsd.signum() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                " (%s %%)",
                saved
                    .movePointRight(2)
                    .divide(onDemandEquivalentUsd, 0, RoundingMode.HALF_UP)
                    .toPlainString());
    return String.format(
        Locale.ROOT,
        "money: spent $%s for %s GPU-hours of %d jobs; on demand it would have been $%s: saved $%s%s",
        usd.setScale(2, RoundingMode.HALF_UP),
        hoursText(),
        jobs,
        onDemandEquivalentUsd.setScale(2, RoundingMode.HALF_UP),
        saved.setScale(2, RoundingMode.HALF_UP),
        share);
  }

  private String hoursText() {
    return gpuHours.setScale(2, RoundingMode.HALF_UP).toPlainString();
  }
}
