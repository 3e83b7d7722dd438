package io.spillway.capacity.gcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Google's advice on spot: how likely a machine is to be had in a zone, and what it costs there
 * now. Both are questions in the form of a POST and change nothing. They are asked for what
 * policies name, one type and zone at a time.
 */
final class GcpAdvice {
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration USABLE = Duration.ofMinutes(30);

  /** Prices move at most once a day, but one older than an hour is distrusted. */
  private static final Duration PRICE_FRESH = Duration.ofMinutes(30);

  private static final Duration PRICE_USABLE = Duration.ofHours(12);
  private static final Duration FORBIDDEN = Duration.ofHours(1);
  private static final int NANOS = 9;
  private static final int QUESTIONS_A_ROUND = 40;

  private final String root;
  private final Remembered<String, Optional<BigDecimal>> chances =
      new Remembered<>(FRESH, USABLE, FORBIDDEN);
  private final Remembered<String, Optional<BigDecimal>> prices =
      new Remembered<>(PRICE_FRESH, PRICE_USABLE, FORBIDDEN);

  GcpAdvice(String root) {
    this.root = root;
  }

  /**
   * What was said of a machine type in a zone as spot.
   *
   * @param obtainability 0 to 1
   * @param price USD per node-hour, with the time when it was asked for
   */
  record Spot(Optional<BigDecimal> obtainability, Optional<Told<BigDecimal>> price) {
    static final Spot NOTHING = new Spot(Optional.empty(), Optional.empty());
  }

  /**
   * By {@code zone/type}; what could not be asked is missing, and that is told. Of many machines
   * some are asked for in each round, the others told as they were.
   */
  CompletableFuture<Map<String, Spot>> of(List<GcpMachine> machines, ProbeRun run) {
    List<String> keys = machines.stream().map(GcpAdvice::key).toList();
    Set<String> due = new HashSet<>(chances.due(keys, run.now(), QUESTIONS_A_ROUND));
    due.addAll(prices.due(keys, run.now(), QUESTIONS_A_ROUND));
    Map<String, Spot> known = new HashMap<>();
    for (String key : keys) {
      known.put(key, known(key, run.now()));
    }
    List<GcpMachine> asked =
        machines.stream().filter(machine -> due.contains(key(machine))).toList();
    return run.each(asked, machine -> key(machine) + " advice", machine -> of(machine, run))
        .thenApply(
            all -> {
              all.forEach(entry -> known.put(entry.getKey(), entry.getValue()));
              return known;
            });
  }

  private Spot known(String key, Instant now) {
    return new Spot(
        chances.last(key, now).flatMap(Told::value),
        prices.last(key, now).flatMap(GcpAdvice::told));
  }

  private static Optional<Told<BigDecimal>> told(Told<Optional<BigDecimal>> price) {
    return price.value().map(usd -> new Told<>(usd, price.at()));
  }

  static String key(GcpMachine machine) {
    return machine.zone() + '/' + machine.type();
  }

  private CompletableFuture<List<Map.Entry<String, Spot>>> of(GcpMachine machine, ProbeRun run) {
    String key = key(machine);
    CompletableFuture<Optional<Told<BigDecimal>>> price =
        prices
            .get(key, "spot price history", run, () -> price(machine, run))
            .thenApply(GcpAdvice::told);
    CompletableFuture<Optional<BigDecimal>> chance =
        chances
            .get(key, "spot capacity advice", run, () -> chance(machine, run))
            .thenApply(Told::value);
    return run.optional("spot capacity advice", chance, Optional.empty())
        .thenCombine(
            run.optional("spot price history", price, Optional.empty()),
            (likely, usd) -> List.of(Map.entry(key, new Spot(likely, usd))));
  }

  private CompletableFuture<Optional<BigDecimal>> chance(GcpMachine machine, ProbeRun run) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("size", 1);
    spot(body.putObject("instanceProperties"));
    ObjectNode where = body.putObject("distributionPolicy");
    where.put("targetShape", "ANY_SINGLE_ZONE");
    where.putArray("zones").addObject().put("zone", "zones/" + machine.zone());
    body.putObject("instanceFlexibilityPolicy")
        .putObject("instanceSelections")
        .putObject("asked")
        .putArray("machineTypes")
        .add(machine.type());
    return run.send(HttpCall.post(advice(machine, "capacity"), body.toString()))
        .thenApply(
            answer ->
                answer.json().optionalList("recommendations").stream()
                    .flatMap(best -> best.optionalObject("scores").stream())
                    .flatMap(scores -> scores.optionalDecimal("obtainability").stream())
                    .findFirst());
  }

  private CompletableFuture<Optional<BigDecimal>> price(GcpMachine machine, ProbeRun run) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putArray("types").add("PRICE");
    ObjectNode what = body.putObject("instanceProperties").put("machineType", machine.type());
    spot(what);
    body.putObject("locationPolicy").put("location", "zones/" + machine.zone());
    return run.send(HttpCall.post(advice(machine, "capacityHistory"), body.toString()))
        .thenApply(answer -> newest(answer.json().optionalList("priceHistory")));
  }

  private static void spot(ObjectNode properties) {
    properties.putObject("scheduling").put("provisioningModel", "SPOT");
  }

  private String advice(GcpMachine machine, String kind) {
    return root + "/regions/" + HttpCall.encode(machine.region()) + "/advice/" + kind;
  }

  private static Optional<BigDecimal> newest(List<JsonView> history) {
    return history.stream()
        .max(Comparator.comparing(GcpAdvice::began))
        .map(entry -> money(entry.object("listPrice")));
  }

  private static Instant began(JsonView entry) {
    return entry
        .optionalObject("interval")
        .flatMap(interval -> interval.optionalInstant("startTime"))
        .orElse(Instant.EPOCH);
  }

  /** Google's {@code Money}: whole units and billionths. */
  static BigDecimal money(JsonView money) {
    if (!money.optionalText("currencyCode").orElse("USD").equals("USD")) {
      throw new MalformedException("a price in another currency than USD");
    }
    return money
        .optionalDecimal("units")
        .orElse(BigDecimal.ZERO)
        .add(money.optionalDecimal("nanos").orElse(BigDecimal.ZERO).movePointLeft(NANOS));
  }
}
