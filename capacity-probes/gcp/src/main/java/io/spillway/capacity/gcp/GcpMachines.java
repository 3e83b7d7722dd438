package io.spillway.capacity.gcp;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Lists over all zones at once. Zones that cannot be reached are told and left out. */
final class GcpMachines {
  private static final Duration FRESH = Duration.ofHours(1);
  private static final Duration USABLE = Duration.ofDays(2);

  /** Families with GPUs built in; the pattern is Google's, a regular expression of the name. */
  private static final String FAMILIES = "name eq (a2|a3|a4|a4x|g2|g4)-.*";

  private static final String PAGE = "500";

  private final String root;
  private final Set<String> regions;
  private final Remembered<String, List<GcpMachine>> remembered = new Remembered<>(FRESH, USABLE);

  GcpMachines(String root, List<String> regions) {
    this.root = root;
    this.regions = Set.copyOf(regions);
  }

  CompletableFuture<List<GcpMachine>> sold(ProbeRun run) {
    return remembered
        .get(
            "types",
            "machine types",
            run,
            () ->
                aggregated(
                    HttpCall.get(root + "/aggregated/machineTypes").with("filter", FAMILIES),
                    "machineTypes",
                    GcpMachine::of,
                    run))
        .thenApply(Told::value);
  }

  /**
   * What a reservation holds in its zone.
   *
   * @param ready whether machines can be started from it
   * @param free machines that nobody uses
   */
  record Held(String zone, String name, String type, boolean ready, long free) {}

  CompletableFuture<List<Held>> reserved(ProbeRun run) {
    return aggregated(
        HttpCall.get(root + "/aggregated/reservations"), "reservations", GcpMachines::held, run);
  }

  private static Stream<Held> held(String zone, JsonView row) {
    if (!row.has("specificReservation")) {
      return Stream.empty();
    }
    JsonView specific = row.object("specificReservation");
    String type = specific.object("instanceProperties").text("machineType");
    // What Google assures of the count may be less while it repairs machines.
    long count =
        specific
            .optionalDecimal("assuredCount")
            .orElseGet(() -> specific.decimal("count"))
            .longValue();
    long used = specific.optionalDecimal("inUseCount").map(n -> n.longValue()).orElse(0L);
    boolean ready = row.optionalText("status").orElse("READY").equals("READY");
    return Stream.of(
        new Held(
            zone,
            row.text("name"),
            type.substring(type.lastIndexOf('/') + 1),
            ready,
            count - used));
  }

  private <T> CompletableFuture<List<T>> aggregated(
      HttpCall first, String list, BiFunction<String, JsonView, Stream<T>> read, ProbeRun run) {
    HttpCall call = first.with("maxResults", PAGE).with("returnPartialSuccess", "true");
    return run.pages(
            call,
            page -> List.of(page),
            page -> page.optionalText("nextPageToken").map(token -> call.with("pageToken", token)))
        .thenApply(
            pages -> {
              List<Row> rows = new ArrayList<>();
              for (JsonView page : pages) {
                page.optionalList("unreachables")
                    .forEach(gone -> run.warn(list + ": not reachable: " + gone.text()));
                page.object("items")
                    .members()
                    .forEach((scope, part) -> add(rows, scope, part, list, run));
              }
              return run.rows(rows, row -> read.apply(row.zone(), row.json()));
            });
  }

  private record Row(String zone, JsonView json) {}

  private void add(List<Row> rows, String scope, JsonView part, String list, ProbeRun run) {
    String zone = scope.substring(scope.lastIndexOf('/') + 1);
    if (!scope.startsWith("zones/") || !regions.contains(GcpEvents.region(zone))) {
      return;
    }
    part.optionalObject("warning")
        .flatMap(warning -> warning.optionalText("code"))
        .filter(code -> !code.equals("NO_RESULTS_ON_PAGE"))
        .ifPresent(code -> run.warn(list + " of " + zone + ": " + code));
    part.optionalList(list).forEach(row -> rows.add(new Row(zone, row)));
  }
}
