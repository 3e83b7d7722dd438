package io.spillway.capacity.gcp;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.HttpAnswer;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
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
 * List prices by the Cloud Billing Catalog. It has tens of thousands of lines and no way to ask for
 * a few, so it is read some pages a round, and the lines that price parts of GPU machines are kept;
 * it counts once it is whole, and is read again a day later. Until then prices are the shipped
 * ones.
 */
final class GcpPriceList {
  private static final URI BILLING = URI.create("https://cloudbilling.googleapis.com");

  /** Compute Engine's id in the catalogue. */
  private static final String SKUS = "/v1/services/6F81-5844-456A/skus";

  private static final String PAGE = "1000";
  private static final int PAGES_A_ROUND = 4;

  /** A list that goes on for longer goes on for ever. */
  private static final int MOST_PAGES = 200;

  private static final Duration FRESH = Duration.ofHours(24);
  private static final Duration USABLE = Duration.ofDays(7);

  private final ProbeClient client;

  private Parts whole = new Parts(Map.of(), Instant.EPOCH);
  private Reading reading = Reading.START;

  GcpPriceList(AccountSettings account, HttpCall.Signer signer) {
    this.client =
        new ProbeClient(
            account, BILLING, signer, CallBudget.of(account, 10, 2, Duration.ofSeconds(20)));
  }

  /**
   * What the parts of machines cost.
   *
   * @param usd for an hour, by {@code region/part/market}
   * @param at when the list was read
   */
  record Parts(Map<String, BigDecimal> usd, Instant at) {
    Optional<BigDecimal> of(String region, String part, boolean spot) {
      return Optional.ofNullable(usd.get(key(region, part, spot)));
    }

    private static String key(String region, String part, boolean spot) {
      return region + '/' + part + (spot ? "/spot" : "/on-demand");
    }
  }

  /** How far the list has been read. */
  private record Reading(Optional<String> page, int pages, Map<String, BigDecimal> usd) {
    static final Reading START = new Reading(Optional.empty(), 0, Map.of());
  }

  /** What is known, after reading on where that is due. */
  CompletableFuture<Parts> read(ProbeRun round) {
    ProbeRun run = round.at(client);
    Parts known = known(run.now());
    if (Duration.between(known.at(), run.now()).compareTo(FRESH) < 0) {
      return CompletableFuture.completedFuture(known);
    }
    return run.optional("billing catalogue", readOn(run, PAGES_A_ROUND), known);
  }

  private synchronized Parts known(Instant now) {
    return Duration.between(whole.at(), now).compareTo(USABLE) < 0
        ? whole
        : new Parts(Map.of(), Instant.EPOCH);
  }

  private CompletableFuture<Parts> readOn(ProbeRun run, int pages) {
    Reading before = reading();
    HttpCall call = HttpCall.get(SKUS).with("currencyCode", "USD").with("pageSize", PAGE);
    HttpCall next = before.page().map(token -> call.with("pageToken", token)).orElse(call);
    return run.send(next)
        .thenCompose(
            answer ->
                add(before, answer, run) || pages == 1
                    ? CompletableFuture.completedFuture(known(run.now()))
                    : readOn(run, pages - 1));
  }

  private synchronized Reading reading() {
    return reading;
  }

  /** Whether the list is whole. */
  private boolean add(Reading before, HttpAnswer answer, ProbeRun run) {
    Map<String, BigDecimal> usd = new HashMap<>(before.usd());
    List<GcpSku> skus = run.rows(answer.json().optionalList("skus"), GcpSku::of);
    for (GcpSku sku : skus) {
      for (String region : sku.regions()) {
        // Where two lines price the same part, the dearer one is safe.
        usd.merge(Parts.key(region, sku.part(), sku.spot()), sku.usd(), BigDecimal::max);
      }
    }
    Optional<String> next = answer.json().optionalText("nextPageToken");
    boolean end = next.isEmpty() || next.equals(before.page()) || before.pages() >= MOST_PAGES;
    synchronized (this) {
      if (end) {
        whole = new Parts(Map.copyOf(usd), run.now());
        reading = Reading.START;
      } else {
        reading = new Reading(next, before.pages() + 1, Map.copyOf(usd));
      }
    }
    return end;
  }
}
