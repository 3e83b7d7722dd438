package io.spillway.capacity.azure;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Resource SKUs: what this subscription may use where. A size that is not listed is not sold. */
final class AzureSkus {
  private static final String VERSION = "2021-07-01";
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration USABLE = Duration.ofHours(6);
  private static final int LISTS_A_ROUND = 6;

  private final String root;
  private final Remembered<String, List<AzureSku>> remembered = new Remembered<>(FRESH, USABLE);

  AzureSkus(String root) {
    this.root = root;
  }

  /**
   * The regions whose lists are read in this round, the oldest first. A list is large and slow, so
   * of many regions a few are read each round and the others are told as they were.
   */
  List<String> due(List<String> regions, ProbeRun run) {
    return remembered.due(regions, run.now(), LISTS_A_ROUND);
  }

  /** What is known of a region without asking; empty if nothing is known. */
  Optional<List<AzureSku>> known(String region, ProbeRun run) {
    return remembered.last(region, run.now()).map(Told::value);
  }

  CompletableFuture<List<AzureSku>> of(String region, ProbeRun run) {
    HttpCall call =
        HttpCall.get(root + "/providers/Microsoft.Compute/skus")
            .with("api-version", VERSION)
            .with("$filter", "location eq '" + region + "'");
    return remembered
        .get(
            region,
            "sizes of " + region,
            run,
            () ->
                run.pages(call, page -> page.list("value"), AzureLinks::next)
                    .thenApply(rows -> run.rows(rows, row -> AzureSku.of(row, region))))
        .thenApply(Told::value);
  }
}
