package io.spillway.capacity.nebius;

import io.spillway.capacity.http.Prices;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.nebius.NebiusPrices.Told;
import io.spillway.capacity.nebius.NebiusPrices.Wanted;
import io.spillway.capacity.nebius.NebiusProbe.Advised;
import io.spillway.capacity.nebius.api.capacity.CapacityBlockGroup;
import io.spillway.capacity.nebius.api.capacity.ResourceAdviceStatus;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes observations of one round's answers: of each shape on demand, preemptible, reserved. */
record NebiusBoard(String account, NebiusPrices prices, Prices discount, ProbeRun run) {

  List<Observation> observations(List<Advised> advised, List<CapacityBlockGroup> blocks) {
    Map<MarketKey, Observation> seen = new TreeMap<>();
    for (Advised one : advised) {
      ResourceAdviceStatus status = one.item().getStatus();
      if (status.hasOnDemand()) {
        add(seen, one, CapacityType.ON_DEMAND, NebiusMarket.of(status.getOnDemand(), run));
      }
      if (status.hasPreemptible()) {
        add(seen, one, CapacityType.SPOT, NebiusMarket.of(status.getPreemptible(), run));
      }
      for (CapacityBlockGroup block : blocks) {
        if (isIn(block, one)) {
          Observation reserved =
              observation(
                  one,
                  CapacityType.RESERVED,
                  Optional.of(block.getMetadata().getId()),
                  NebiusMarket.of(block, one.shape().shape().gpus()),
                  "capacity-block-groups");
          seen.put(reserved.key(), reserved);
        }
      }
    }
    return List.copyOf(seen.values());
  }

  private void add(
      Map<MarketKey, Observation> seen, Advised one, CapacityType type, Availability now) {
    Observation observed = observation(one, type, Optional.empty(), now, "resource-advice");
    seen.merge(observed.key(), observed, NebiusBoard::merged);
  }

  private static Observation merged(Observation one, Observation other) {
    Availability both = NebiusMarket.better(one.availability(), other.availability());
    return both == one.availability() ? one : with(other, both);
  }

  private static Observation with(Observation seen, Availability availability) {
    return new Observation(
        seen.key(),
        seen.shape(),
        seen.price(),
        seen.onDemandPrice(),
        availability,
        seen.trust(),
        seen.priceAt(),
        seen.observedAt(),
        seen.source());
  }

  /** A block is a platform's in a region, and in a fabric if it names one. */
  private static boolean isIn(CapacityBlockGroup block, Advised one) {
    var affinity = block.getStatus().getResourceAffinity().getComputeV1();
    return !block.getMetadata().getId().isEmpty()
        && block.getStatus().getRegion().equals(one.region())
        && affinity.getPlatform().equals(one.shape().platform())
        && (affinity.getFabric().isEmpty()
            || affinity.getFabric().equals(one.item().getSpec().getFabric()));
  }

  private Observation observation(
      Advised one,
      CapacityType type,
      Optional<String> reservation,
      Availability availability,
      String source) {
    NebiusShape shape = one.shape();
    Optional<Told> told =
        type == CapacityType.RESERVED ? Optional.empty() : told(shape, type == CapacityType.SPOT);
    Observation seen =
        new Observation(
            new MarketKey(
                "nebius",
                account,
                one.region(),
                one.region(),
                shape.instanceType(),
                type,
                reservation),
            shape.shape(),
            told.flatMap(price -> discounted(price, shape)),
            told(shape, false).flatMap(price -> discounted(price, shape)),
            availability,
            Trust.OFFERED,
            told.map(Told::at).orElse(run.now()),
            run.now(),
            source);
    return NebiusProbe.CATALOGUE.complete(seen, discount);
  }

  private Optional<Told> told(NebiusShape shape, boolean preemptible) {
    return prices.of(new Wanted(shape.platform(), shape.preset(), preemptible));
  }

  private Optional<UsdPerGpuHour> discounted(Told price, NebiusShape shape) {
    return discount.listNode(price.usdPerHour(), shape.shape().gpus());
  }
}
