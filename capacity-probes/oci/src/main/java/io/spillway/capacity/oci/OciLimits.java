package io.spillway.capacity.oci;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.ProbeClient;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered;
import io.spillway.capacity.http.Remembered.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The tenancy's service limits. What they count, cards or machines, differs from limit to limit, so
 * only one thing is read from them: that nothing is left.
 */
final class OciLimits {
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration USABLE = Duration.ofHours(1);

  private final String tenancy;
  private final ProbeClient client;
  private final Remembered<String, Boolean> remembered = new Remembered<>(FRESH, USABLE);

  OciLimits(String tenancy, ProbeClient client) {
    this.tenancy = tenancy;
    this.client = client;
  }

  /** Names of shapes of which the tenancy may start no more in that domain. */
  CompletableFuture<Set<String>> usedUp(String domain, List<OciShape> shapes, ProbeRun round) {
    ProbeRun run = round.at(client);
    Set<String> names = new TreeSet<>();
    shapes.forEach(shape -> names.addAll(shape.limits()));
    if (names.isEmpty()) {
      return CompletableFuture.completedFuture(Set.of());
    }
    return run.each(
            new ArrayList<>(names),
            name -> "limit " + name,
            name ->
                nothingLeft(name, domain, run)
                    .thenApply(empty -> empty ? List.of(name) : List.<String>of()))
        .thenApply(
            empty -> {
              Set<String> usedUp = new HashSet<>();
              for (OciShape shape : shapes) {
                if (shape.limits().stream().anyMatch(empty::contains)) {
                  usedUp.add(shape.name());
                }
              }
              return usedUp;
            });
  }

  private CompletableFuture<Boolean> nothingLeft(String limit, String domain, ProbeRun run) {
    HttpCall call =
        HttpCall.get(
                "/20190729/services/compute/limits/"
                    + HttpCall.encode(limit)
                    + "/resourceAvailability")
            .with("compartmentId", tenancy)
            .with("availabilityDomain", domain);
    return remembered
        .get(
            limit + '@' + domain,
            "limit " + limit,
            run,
            () ->
                run.send(call)
                    .thenApply(
                        answer ->
                            answer
                                .json()
                                .optionalDecimal("available")
                                // No number means no limit, or one that is not known.
                                .map(left -> left.signum() <= 0)
                                .orElse(false)))
        .thenApply(Told::value);
  }
}
