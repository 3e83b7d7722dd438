package io.spillway.capacity.oci;

import io.spillway.capacity.http.HttpAnswer;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import io.spillway.capacity.oci.OciPrices.Price;
import io.spillway.scheduler.market.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What is asked in one region: its domains, what is sold there, what is free, what is reserved. */
final class OciRegion {
  private static final String CORE = "/20160918/";
  private static final Duration DOMAINS_FRESH = Duration.ofHours(24);
  private static final Duration SHAPES_FRESH = Duration.ofHours(1);
  private static final Duration USABLE = Duration.ofDays(2);
  private static final String PAGE = "100";

  private final OciProbe.Tenancy tenancy;
  private final String name;
  private final ProbeClient compute;
  private final ProbeClient identity;
  private final OciReports reports;
  private final OciLimits limits;

  private final Remembered<String, List<String>> domains = new Remembered<>(DOMAINS_FRESH, USABLE);
  private final Remembered<String, List<OciShape>> shapes = new Remembered<>(SHAPES_FRESH, USABLE);

  OciRegion(
      OciProbe.Tenancy tenancy,
      String name,
      ProbeClient compute,
      ProbeClient identity,
      ProbeClient limits) {
    this.tenancy = tenancy;
    this.name = name;
    this.compute = compute;
    this.identity = identity;
    this.reports = new OciReports(tenancy.id());
    this.limits = new OciLimits(tenancy.id(), limits);
  }

  String name() {
    return name;
  }

  ProbeClient compute() {
    return compute;
  }

  CompletableFuture<List<Observation>> observe(
      Set<String> interest, Told<Map<String, Price>> prices, ProbeRun round) {
    ProbeRun run = round.at(compute);
    OciMarket market = new OciMarket(tenancy, name, prices, run);
    CompletableFuture<List<Observation>> sold =
        domains(round)
            .thenCompose(
                found ->
                    run.each(
                        found, OciPlaces::zone, domain -> domain(domain, interest, market, run)));
    return sold.thenCompose(
        seen ->
            run.optional(name + " reservations", reservations(market, run), List.of())
                .thenApply(reserved -> OciMarket.joined(seen, reserved)));
  }

  private CompletableFuture<List<String>> domains(ProbeRun round) {
    ProbeRun run = round.at(identity);
    HttpCall call = HttpCall.get(CORE + "availabilityDomains").with("compartmentId", tenancy.id());
    return domains
        .get(
            name,
            "domains of " + name,
            run,
            () ->
                run.send(call)
                    .thenApply(
                        answer ->
                            answer.json().elements().stream().map(ad -> ad.text("name")).toList()))
        .thenApply(Told::value);
  }

  private CompletableFuture<List<Observation>> domain(
      String domain, Set<String> interest, OciMarket market, ProbeRun run) {
    return shapes(domain, run)
        .thenCompose(
            sold -> {
              List<OciShape> wanted =
                  sold.stream().filter(shape -> interest.contains(shape.name())).toList();
              return reports
                  .read(domain, wanted, run)
                  .thenCombine(
                      run.optional(
                          OciPlaces.zone(domain) + " limits",
                          limits.usedUp(domain, wanted, run),
                          Set.of()),
                      (free, usedUp) -> market.sold(domain, sold, free, usedUp));
            });
  }

  private CompletableFuture<List<OciShape>> shapes(String domain, ProbeRun run) {
    HttpCall call =
        HttpCall.get(CORE + "shapes")
            .with("compartmentId", tenancy.compartment())
            .with("availabilityDomain", domain)
            .with("limit", PAGE);
    return shapes
        .get(
            domain,
            "shapes of " + OciPlaces.zone(domain),
            run,
            () -> pages(call, run).thenApply(rows -> run.rows(rows, OciShape::of)))
        .thenApply(Told::value);
  }

  /** Active reservations; the list does not say what they hold, so each is read. */
  private CompletableFuture<List<Observation>> reservations(OciMarket market, ProbeRun run) {
    HttpCall call =
        HttpCall.get(CORE + "computeCapacityReservations")
            .with("compartmentId", tenancy.compartment())
            .with("lifecycleState", "ACTIVE")
            .with("limit", PAGE);
    return pages(call, run)
        .thenCompose(
            rows ->
                rows.isEmpty()
                    ? CompletableFuture.completedFuture(List.of())
                    : run.each(
                        rows.stream().map(row -> row.text("id")).toList(),
                        id -> name + " reservation " + id,
                        id ->
                            run.send(
                                    HttpCall.get(
                                        CORE
                                            + "computeCapacityReservations/"
                                            + HttpCall.encode(id)))
                                .thenApply(answer -> market.reserved(id, answer.json()))));
  }

  private static CompletableFuture<List<JsonView>> pages(HttpCall call, ProbeRun run) {
    return run.answeredPages(
        call, answer -> answer.json().elements(), answer -> next(call, answer));
  }

  private static Optional<HttpCall> next(HttpCall call, HttpAnswer answer) {
    return answer
        .headers()
        .firstValue("opc-next-page")
        .filter(page -> !page.isBlank())
        .map(page -> call.with("page", page));
  }
}
