package io.spillway.capacity.oci;

import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Remembered.Told;
import io.spillway.capacity.oci.OciPrices.Price;
import io.spillway.capacity.oci.OciReports.Report;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns what one region answered into observations. A machine that is sold on demand is sold
 * preemptibly too only if the price list says so: no bare-metal GPU shape is.
 */
final class OciMarket {
  /** Shapes by name, and prices for when Oracle's list cannot be read. */
  static final FallbackCatalogue CATALOGUE = FallbackCatalogue.of(OciMarket.class, "catalogue.csv");

  private final OciProbe.Tenancy tenancy;
  private final String region;
  private final Told<Map<String, Price>> prices;
  private final ProbeRun run;

  OciMarket(
      OciProbe.Tenancy tenancy, String region, Told<Map<String, Price>> prices, ProbeRun run) {
    this.tenancy = tenancy;
    this.region = region;
    this.prices = prices;
    this.run = run;
  }

  /** What a domain sells, by what it said of its stock and what the tenancy may still start. */
  List<Observation> sold(
      String domain, List<OciShape> shapes, Map<String, Report> reports, Set<String> usedUp) {
    List<Observation> seen = new ArrayList<>();
    for (OciShape shape : shapes) {
      Optional<NodeShape> node = node(shape.name(), shape);
      if (node.isEmpty()) {
        continue;
      }
      Said said =
          said(Optional.ofNullable(reports.get(shape.name())), usedUp.contains(shape.name()));
      seen.add(observation(key(domain, shape.name(), CapacityType.ON_DEMAND), node.get(), said));
      if (preemptible(shape.name())) {
        seen.add(observation(key(domain, shape.name(), CapacityType.SPOT), node.get(), said));
      }
    }
    return seen;
  }

  /** What a reservation holds; its free machines are its own, whatever the domain has. */
  List<Observation> reserved(String id, JsonView reservation) {
    List<Observation> seen = new ArrayList<>();
    String domain = reservation.text("availabilityDomain");
    for (JsonView config : reservation.optionalList("instanceReservationConfigs")) {
      String shape = config.text("instanceShape");
      Optional<NodeShape> node = CATALOGUE.find(shape).map(FallbackCatalogue.Entry::shape);
      if (node.isPresent()) {
        long free =
            config.decimal("reservedCount").longValue()
                - config.optionalDecimal("usedCount").map(BigDecimal::longValue).orElse(0L);
        seen.add(
            observation(
                new MarketKey(
                    "oci",
                    tenancy.account().name(),
                    region,
                    OciPlaces.zone(domain),
                    shape,
                    CapacityType.RESERVED,
                    Optional.of(id)),
                node.get(),
                // One that is used up may be used by nodes that stand idle in a cluster.
                new Said(
                    free > 0 ? Availability.AVAILABLE : Availability.UNKNOWN,
                    Trust.OFFERED,
                    free > 0 ? "capacity reservation" : "capacity reservation, all in use")));
      }
    }
    return seen;
  }

  /**
   * Sold and reserved; of several fault domains or fabrics of one reservation, which are one key,
   * the free one counts.
   */
  static List<Observation> joined(List<Observation> sold, List<Observation> reserved) {
    Map<MarketKey, Observation> byKey = new java.util.LinkedHashMap<>();
    sold.forEach(seen -> byKey.put(seen.key(), seen));
    for (Observation seen : reserved) {
      byKey.merge(
          seen.key(),
          seen,
          (one, other) -> one.availability() == Availability.AVAILABLE ? one : other);
    }
    return List.copyOf(byKey.values());
  }

  private record Said(Availability availability, Trust trust, String source) {}

  private static Said said(Optional<Report> report, boolean usedUp) {
    if (usedUp) {
      return new Said(Availability.UNAVAILABLE, Trust.OFFERED, "service limit used up");
    }
    if (report.isEmpty()) {
      return new Said(Availability.UNKNOWN, Trust.LISTED, "shapes");
    }
    return switch (report.get().stock()) {
      case FREE ->
          new Said(
              Availability.AVAILABLE,
              Trust.OFFERED,
              "capacity report, " + report.get().faultDomains() + " fault domains");
      case OUT -> new Said(Availability.UNAVAILABLE, Trust.OFFERED, "capacity report: full");
      case NOT_THERE ->
          new Said(Availability.UNAVAILABLE, Trust.OFFERED, "capacity report: not there");
    };
  }

  /** The model stands only in the shape's name, which only the catalogue explains. */
  private Optional<NodeShape> node(String name, OciShape shape) {
    Optional<NodeShape> known = CATALOGUE.find(name).map(FallbackCatalogue.Entry::shape);
    if (known.isEmpty()) {
      run.warn("shape " + name + " has a GPU that is not known here; it is left out");
    }
    return known.map(
        node ->
            new NodeShape(
                node.gpu(),
                shape.gpus(),
                shape.cpus() > 0 ? shape.cpus() : node.cpus(),
                shape.memoryGiB() > 0 ? shape.memoryGiB() : node.memoryGiB()));
  }

  private boolean preemptible(String shape) {
    Price price = prices.value().get(shape);
    return price != null
        ? price.preemptible()
        : prices.value().isEmpty()
            && CATALOGUE.find(shape).flatMap(FallbackCatalogue.Entry::spot).isPresent();
  }

  private MarketKey key(String domain, String shape, CapacityType type) {
    return new MarketKey(
        "oci",
        tenancy.account().name(),
        region,
        OciPlaces.zone(domain),
        shape,
        type,
        Optional.empty());
  }

  /** A reservation bills the shape's price (OCI documentation). */
  private Observation observation(MarketKey key, NodeShape node, Said said) {
    Optional<BigDecimal> list =
        Optional.ofNullable(prices.value().get(key.instanceType())).map(Price::node);
    Optional<UsdPerGpuHour> onDemand = perGpu(list, node);
    Optional<UsdPerGpuHour> price =
        key.capacityType() == CapacityType.SPOT
            ? perGpu(list.map(OciPrices.PREEMPTIBLE::multiply), node)
            : onDemand;
    return CATALOGUE.complete(
        new Observation(
            key,
            node,
            price,
            onDemand,
            said.availability(),
            said.trust(),
            price.isPresent() ? prices.at() : run.now(),
            run.now(),
            said.source()),
        tenancy.prices());
  }

  private Optional<UsdPerGpuHour> perGpu(Optional<BigDecimal> node, NodeShape shape) {
    return node.flatMap(usd -> tenancy.prices().listNode(usd, shape.gpus()));
  }
}
