package io.spillway.capacity.azure;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.capacity.azure.AzureProbe.Sold;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Spot placement scores: how likely a launch of one machine is to be served. At most eight regions
 * and five sizes a call, few calls an hour, and a role of its own ("Compute Recommendations Role");
 * without it the scores are missing and everything else stands. The call changes nothing.
 */
final class AzureScores {
  private static final String VERSION = "2025-06-05";
  private static final int REGIONS = 8;
  private static final int SIZES = 5;
  private static final Duration FRESH = Duration.ofMinutes(30);
  private static final Duration USABLE = Duration.ofHours(2);
  private static final Duration WITHOUT_ROLE = Duration.ofHours(1);

  private final String root;
  private final Remembered<String, Map<Place, Score>> remembered =
      new Remembered<>(FRESH, USABLE, WITHOUT_ROLE);

  AzureScores(String root) {
    this.root = root;
  }

  /**
   * @param zone number of the zone; empty for the region as a whole
   */
  record Place(String size, String region, String zone) {}

  /** Azure's word, and {@code OTHER} for those of tomorrow. */
  enum Score {
    HIGH,
    MEDIUM,
    LOW,
    RESTRICTED,
    OTHER
  }

  CompletableFuture<Map<Place, Score>> of(Set<String> interest, List<Sold> sold, ProbeRun run) {
    Set<String> regions = new TreeSet<>();
    Set<String> sizes = new TreeSet<>();
    for (Sold part : sold) {
      for (AzureSku sku : part.skus()) {
        if (sku.spot() && interest.contains(sku.size())) {
          regions.add(part.region());
          sizes.add(sku.size());
        }
      }
    }
    List<Ask> asks = new ArrayList<>();
    for (List<String> some : parts(regions, REGIONS)) {
      parts(sizes, SIZES).forEach(few -> asks.add(new Ask(some, few)));
    }
    if (asks.isEmpty()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    return run.each(asks, ask -> "scores of " + ask.regions(), ask -> ask(ask, run))
        .thenApply(
            all -> {
              Map<Place, Score> scores = new HashMap<>();
              all.forEach(scores::putAll);
              return scores;
            });
  }

  private record Ask(List<String> regions, List<String> sizes) {}

  private CompletableFuture<List<Map<Place, Score>>> ask(Ask ask, ProbeRun run) {
    HttpCall call =
        HttpCall.post(
                root
                    + "/providers/Microsoft.Compute/locations/"
                    + HttpCall.encode(ask.regions().getFirst())
                    + "/placementScores/spot/generate",
                body(ask))
            .with("api-version", VERSION);
    return remembered
        .get(
            ask.toString(),
            "spot placement scores",
            run,
            () -> run.send(call).thenApply(answer -> scores(answer.json().list("placementScores"))))
        .thenApply(Told::value)
        .thenApply(List::of);
  }

  private static String body(Ask ask) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    var locations = body.putArray("desiredLocations");
    ask.regions().forEach(locations::add);
    var sizes = body.putArray("desiredSizes");
    ask.sizes().forEach(size -> sizes.addObject().put("sku", size));
    return body.put("desiredCount", 1).put("availabilityZones", true).toString();
  }

  private static Map<Place, Score> scores(List<JsonView> rows) {
    Map<Place, Score> scores = new HashMap<>();
    for (JsonView row : rows) {
      scores.put(
          new Place(
              row.text("sku"),
              row.text("region").toLowerCase(Locale.ROOT),
              row.optionalText("availabilityZone").orElse("")),
          switch (row.optionalText("score").orElse("").toLowerCase(Locale.ROOT)) {
            case "high" -> Score.HIGH;
            case "medium" -> Score.MEDIUM;
            case "low" -> Score.LOW;
            case "restrictedskunotavailable" -> Score.RESTRICTED;
            default -> Score.OTHER;
          });
    }
    return Map.copyOf(scores);
  }

  private static List<List<String>> parts(Set<String> all, int size) {
    List<String> list = List.copyOf(all);
    List<List<String>> parts = new ArrayList<>();
    for (int from = 0; from < list.size(); from += size) {
      parts.add(list.subList(from, Math.min(list.size(), from + size)));
    }
    return parts;
  }
}
