package io.spillway.capacity.azure;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Quota left in a region, in vCPUs: by family and in all for on demand, one counter for all spot.
 * An account's limit is not the market's word, but a launch over it is refused all the same.
 */
final class AzureQuota {
  private static final String VERSION = "2024-07-01";
  static final String REGIONAL = "cores";
  static final String SPOT = "lowprioritycores";

  private final String root;

  AzureQuota(String root) {
    this.root = root;
  }

  /** Left vCPUs by the counter's name in lower case. */
  CompletableFuture<Map<String, Long>> of(String region, ProbeRun run) {
    HttpCall call =
        HttpCall.get(
                root
                    + "/providers/Microsoft.Compute/locations/"
                    + HttpCall.encode(region)
                    + "/usages")
            .with("api-version", VERSION);
    return run.pages(call, page -> page.list("value"), AzureLinks::next)
        .thenApply(AzureQuota::left);
  }

  private static Map<String, Long> left(List<JsonView> rows) {
    Map<String, Long> left = new HashMap<>();
    for (JsonView row : rows) {
      left.put(
          row.object("name").text("value").toLowerCase(Locale.ROOT),
          row.decimal("limit").longValue() - row.decimal("currentValue").longValue());
    }
    return left;
  }
}
