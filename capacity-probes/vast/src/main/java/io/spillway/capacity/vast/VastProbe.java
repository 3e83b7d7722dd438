package io.spillway.capacity.vast;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.LeftOut;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.vast.VastGpus.Machine;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code POST /api/v0/bundles/}, the offer search, once for on-demand machines and once for bids.
 * Offers are whole machines at a price of the whole; the cheapest of an instance type and country
 * is the observation. A bid's price here is the least that wins now. When an answer is full, dearer
 * offers are asked for, up to three answers; a search that came to its end says that what it does
 * not list is not there, by Vast.ai's word.
 */
final class VastProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://console.vast.ai");
  private static final String SOURCE = "bundles";
  private static final int MB_IN_GIB = 1_024;
  private static final int MOST_GPUS = 64;

  /** {@code Norway, NO}, or the code alone. */
  private static final Pattern COUNTRY = Pattern.compile("(?:^|,\\s*)([A-Z]{2})$");

  private final AccountSettings account;
  private final Prices prices;
  private final VastSearch.Filters filters;
  private final Refusal refusal;
  private final ProbeClient client;
  private final LeftOut leftOut = new LeftOut();

  VastProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    this.filters = VastSearch.Filters.of(account);
    this.refusal = new Refusal(account);
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            HttpCall.Signer.bearer(Credentials.required(account, "api-key")),
            // No rate is published and 429 is frequent: one search in ten seconds is known to pass.
            CallBudget.of(account, 2 * Paging.MOST + 2, 0.1, Duration.ofSeconds(5)));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    VastSearch search = VastSearch.of(interest, filters);
    Set<CapacityType> ended = ConcurrentHashMap.newKeySet();
    return run.end(
        run.each(
                List.of(CapacityType.ON_DEMAND, CapacityType.SPOT),
                CapacityType::text,
                market -> market(run, search, market, ended))
            .thenApply(
                offers ->
                    leftOut.completed(
                        withWanted(offers, interest, ended, run),
                        key ->
                            ended.contains(key.capacityType()) && search.covers(key.instanceType()),
                        run)));
  }

  private CompletableFuture<List<Observation>> market(
      ProbeRun run, VastSearch search, CapacityType market, Set<CapacityType> ended) {
    Paging paging = new Paging(search, market, ended);
    return run.pages(search.call(market, Optional.empty()), refusal::offers, paging::next)
        .thenApply(rows -> run.rows(rows, row -> offer(row, market, run)))
        .thenApply(VastProbe::cheapest);
  }

  private static List<Observation> cheapest(List<Observation> offers) {
    Map<MarketKey, Observation> cheapest = new LinkedHashMap<>();
    for (Observation offer : offers) {
      cheapest.merge(offer.key(), offer, VastProbe::cheaper);
    }
    return List.copyOf(cheapest.values());
  }

  private static Observation cheaper(Observation a, Observation b) {
    return a.price().orElseThrow().compareTo(b.price().orElseThrow()) <= 0 ? a : b;
  }

  /** Offers without a place, a price or a GPU that jobs can ask for are left out. */
  private Stream<Observation> offer(JsonView row, CapacityType market, ProbeRun run) {
    int count = row.integer("num_gpus");
    int memory = row.optionalDecimal("gpu_ram").map(BigDecimal::intValue).orElse(0);
    Optional<Machine> machine = VastGpus.machine(row.text("gpu_name"), memory, count);
    Optional<String> country = country(row.optionalText("geolocation").orElse(""));
    if (machine.isEmpty() || country.isEmpty() || count < 1 || count > MOST_GPUS) {
      return Stream.empty();
    }
    Optional<UsdPerGpuHour> onDemand =
        row.optionalDecimal("dph_total")
            .or(() -> row.optionalDecimal("dph_base"))
            .flatMap(usd -> prices.listNode(usd, count));
    Optional<UsdPerGpuHour> price =
        market == CapacityType.SPOT
            ? row.optionalDecimal("min_bid").flatMap(usd -> prices.marketNode(usd, count))
            : onDemand;
    NodeShape shape =
        new NodeShape(
            machine.get().gpu(),
            count,
            number(row.optionalDecimal("cpu_cores_effective")),
            number(row.optionalDecimal("cpu_ram")) / MB_IN_GIB);
    return price.isEmpty()
        ? Stream.empty()
        : Stream.of(
            observation(
                key(machine.get(), country.get(), market),
                shape,
                price,
                onDemand,
                Availability.AVAILABLE,
                run));
  }

  private Optional<String> country(String geolocation) {
    Matcher place = COUNTRY.matcher(geolocation.strip());
    return place.find()
        ? Optional.of(place.group(1))
            .filter(code -> account.regions().isEmpty() || account.regions().contains(code))
        : Optional.empty();
  }

  private static int number(Optional<BigDecimal> count) {
    return count.map(n -> Math.clamp(n.longValue(), 0, 100_000_000)).orElse(0);
  }

  /** And what policies want in the account's countries that nobody offers. */
  private List<Observation> withWanted(
      List<Observation> offers, Set<String> interest, Set<CapacityType> ended, ProbeRun run) {
    Map<MarketKey, Observation> all = new LinkedHashMap<>();
    offers.forEach(offer -> all.put(offer.key(), offer));
    for (String type : interest) {
      VastGpus.machine(type)
          .ifPresent(
              machine -> {
                for (CapacityType market : ended) {
                  for (String country : account.regions()) {
                    Observation none = none(key(machine, country, market), machine, run);
                    all.putIfAbsent(none.key(), none);
                  }
                }
              });
    }
    return List.copyOf(all.values());
  }

  private Observation none(MarketKey key, Machine machine, ProbeRun run) {
    return observation(
        key,
        new NodeShape(machine.gpu(), machine.count(), 0, 0),
        Optional.empty(),
        Optional.empty(),
        Availability.UNAVAILABLE,
        run);
  }

  private MarketKey key(Machine machine, String country, CapacityType market) {
    return new MarketKey(
        "vast", account.name(), country, country, machine.instanceType(), market, Optional.empty());
  }

  private static Observation observation(
      MarketKey key,
      NodeShape shape,
      Optional<UsdPerGpuHour> price,
      Optional<UsdPerGpuHour> onDemand,
      Availability availability,
      ProbeRun run) {
    return new Observation(
        key, shape, price, onDemand, availability, Trust.OFFERED, run.now(), run.now(), SOURCE);
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "VastProbe[" + account.name() + ']';
  }
}
