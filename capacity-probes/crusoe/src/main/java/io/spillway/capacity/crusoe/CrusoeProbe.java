package io.spillway.capacity.crusoe;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.HttpAnswer;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * {@code GET /capacities} tells free hardware by type and location, not quota: a pair may come
 * twice, the larger counts; a pair that is missing beside others is zero, by Crusoe's word. An
 * answer without any pair says nothing. The list of types tells their shapes; when it fails the
 * shipped ones serve. Prices are told by no call: the shipped list prices are shown, and an
 * operator's price override makes them usable. Spot capacity has no field of its own, so what is
 * known of it is only that it is sold.
 */
final class CrusoeProbe implements CapacityProbe {
  private static final URI PUBLIC = URI.create("https://api.crusoecloud.com");
  private static final String VERSION = "v1alpha5";

  private static final FallbackCatalogue CATALOGUE =
      FallbackCatalogue.of(CrusoeProbe.class, "catalogue.csv");

  private final AccountSettings account;
  private final Prices prices;
  private final ProbeClient client;
  private final HttpCall capacities;
  private final HttpCall types;

  CrusoeProbe(AccountSettings account) {
    this.account = account;
    this.prices = Prices.of(account);
    String root = '/' + HttpCall.encode(Credentials.orElse(account, "api-version", VERSION));
    String project = HttpCall.encode(Credentials.required(account, "project-id"));
    this.capacities = HttpCall.get(root + "/capacities");
    this.types = HttpCall.get(root + "/projects/" + project + "/compute/vms/types");
    this.client =
        new ProbeClient(
            account,
            PUBLIC,
            new CrusoeSignature(
                Credentials.required(account, "access-key"),
                Credentials.required(account, "secret-key")),
            CallBudget.of(account, 10, 2, Duration.ofSeconds(10)));
  }

  @Override
  public Optional<Allowance> budget() {
    return client.allowance();
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    ProbeRun run = client.run(now);
    CompletableFuture<Map<String, NodeShape>> shapes = shapes(run);
    return run.end(
        run.send(capacities)
            .thenApply(answer -> free(answer, run))
            .thenCombine(shapes, (free, known) -> observations(free, known, run)));
  }

  /** The shapes of all types; the shipped ones where the provider's list fails. */
  private CompletableFuture<Map<String, NodeShape>> shapes(ProbeRun run) {
    Map<String, NodeShape> shipped = new TreeMap<>();
    CATALOGUE.entries().forEach((type, entry) -> shipped.put(type, entry.shape()));
    return run.optional(
            "types",
            run.send(types)
                .thenApply(answer -> run.rows(answer.json().list("items"), CrusoeProbe::type)),
            List.<Type>of())
        .thenApply(
            listed -> {
              Map<String, NodeShape> shapes = new TreeMap<>(shipped);
              listed.forEach(type -> shapes.put(type.name(), type.shape()));
              return shapes;
            });
  }

  private static Stream<Type> type(JsonView row) {
    String name = row.text("product_name");
    return CrusoeTypes.shape(name, row).map(shape -> new Type(name, shape)).stream();
  }

  private static Map<Place, Integer> free(HttpAnswer answer, ProbeRun run) {
    Map<Place, Integer> free = new HashMap<>();
    for (Free row : run.rows(answer.json().list("items"), CrusoeProbe::row)) {
      free.merge(row.place(), row.quantity(), Math::max);
    }
    if (free.isEmpty()) {
      run.warn("capacities: the list is empty, which is taken for no answer");
    }
    return free;
  }

  private static Stream<Free> row(JsonView row) {
    int quantity = row.integer("quantity");
    if (quantity < 0) {
      throw new MalformedException("field '" + row.path() + ".quantity' is negative");
    }
    return Stream.of(new Free(new Place(row.text("type"), row.text("location")), quantity));
  }

  private List<Observation> observations(
      Map<Place, Integer> free, Map<String, NodeShape> shapes, ProbeRun run) {
    List<Observation> observations = new ArrayList<>();
    if (free.isEmpty()) {
      return observations;
    }
    for (String location : locations(free)) {
      shapes.forEach(
          (type, shape) -> {
            boolean there = free.getOrDefault(new Place(type, location), 0) > 0;
            observations.add(
                seen(
                    type,
                    location,
                    shape,
                    CapacityType.ON_DEMAND,
                    there ? Availability.AVAILABLE : Availability.UNAVAILABLE,
                    run));
            if (CATALOGUE.find(type).flatMap(FallbackCatalogue.Entry::spot).isPresent()) {
              observations.add(
                  seen(type, location, shape, CapacityType.SPOT, Availability.UNKNOWN, run));
            }
          });
    }
    return observations;
  }

  private Set<String> locations(Map<Place, Integer> free) {
    Set<String> locations = new TreeSet<>(account.regions());
    if (locations.isEmpty()) {
      free.keySet().forEach(place -> locations.add(place.location()));
    }
    return locations;
  }

  private Observation seen(
      String type,
      String location,
      NodeShape shape,
      CapacityType market,
      Availability availability,
      ProbeRun run) {
    return CATALOGUE.complete(
        new Observation(
            new MarketKey(
                "crusoe", account.name(), location, location, type, market, Optional.empty()),
            shape,
            Optional.empty(),
            Optional.empty(),
            availability,
            Trust.OFFERED,
            run.now(),
            run.now(),
            "capacities"),
        prices);
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "CrusoeProbe[" + account.name() + ']';
  }

  private record Place(String type, String location) {}

  private record Free(Place place, int quantity) {}

  private record Type(String name, NodeShape shape) {}
}
