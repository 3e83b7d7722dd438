package io.spillway.capacity.azure;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Capacity reservation groups. A machine is started into a group, so the group's id is the
 * reservation; what it holds and what of it is used stand in its members.
 */
final class AzureReservations {
  private static final String VERSION = "2024-07-01";

  private final String root;
  private final Set<String> regions;

  AzureReservations(String root, List<String> regions) {
    this.root = root;
    this.regions = Set.copyOf(regions);
  }

  /**
   * Machines of one size that a group holds in one place.
   *
   * @param zone number of the zone; empty = without zones
   */
  record Held(String group, String region, String zone, String size, long free) {}

  CompletableFuture<List<Held>> read(ProbeRun run) {
    HttpCall call =
        HttpCall.get(root + "/providers/Microsoft.Compute/capacityReservationGroups")
            .with("api-version", VERSION);
    return run.pages(call, page -> page.list("value"), AzureLinks::next)
        .thenCompose(
            groups -> {
              List<Member> members = run.rows(groups, this::members);
              return members.isEmpty()
                  ? CompletableFuture.completedFuture(List.of())
                  : run.each(members, Member::id, member -> member(member, run));
            });
  }

  private record Member(String group, String region, String id) {}

  private Stream<Member> members(JsonView group) {
    String region = group.text("location").toLowerCase(Locale.ROOT).replace(" ", "");
    return regions.contains(region)
        ? group.optionalObject("properties").stream()
            .flatMap(properties -> properties.optionalList("capacityReservations").stream())
            .map(member -> new Member(group.text("id"), region, member.text("id")))
        : Stream.empty();
  }

  private static CompletableFuture<List<Held>> member(Member member, ProbeRun run) {
    return run.send(
            AzureLinks.call(member.id())
                .with("api-version", VERSION)
                .with("$expand", "instanceView"))
        .thenApply(answer -> List.of(held(member, answer.json())));
  }

  private static Held held(Member member, JsonView reservation) {
    JsonView sku = reservation.object("sku");
    long capacity = sku.decimal("capacity").longValue();
    Optional<JsonView> used =
        reservation
            .optionalObject("properties")
            .flatMap(properties -> properties.optionalObject("instanceView"))
            .flatMap(view -> view.optionalObject("utilizationInfo"));
    long allocated =
        used.map(u -> (long) u.optionalList("virtualMachinesAllocated").size()).orElse(0L);
    long current =
        used.flatMap(u -> u.optionalInteger("currentCapacity"))
            .map(Integer::longValue)
            .orElse(capacity);
    return new Held(
        member.group(),
        member.region(),
        reservation.optionalList("zones").stream().map(JsonView::text).findFirst().orElse(""),
        sku.text("name"),
        current - allocated);
  }
}
