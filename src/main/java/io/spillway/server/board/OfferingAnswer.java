package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.state.Block;
import io.spillway.scheduler.state.OfferingStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One line of the market board.
 *
 * @param id empty for what no cluster can launch
 * @param launchable false: sold there, but no cluster's capacity, pool or node joins it
 * @param use what would make it launchable
 * @param usdPerGpuHour as observed; missing = no price is known
 * @param priceAgeSeconds since the provider said so
 * @param oddPrice why the price is not used, if it is not
 * @param launchLimit launches that may be in flight, with {@code inFlight} of them
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "One line of the market board")
public record OfferingAnswer(
    @Schema(examples = "eks-ohio~use2-az1~p5.48xlarge~spot") Optional<String> id,
    boolean launchable,
    Optional<String> use,
    Optional<String> cluster,
    Optional<String> provider,
    Optional<String> account,
    Optional<String> region,
    String zone,
    String instanceType,
    @Schema(enumeration = {"spot", "on-demand", "reserved"}) String capacityType,
    Optional<String> pool,
    Optional<String> gpu,
    Optional<Integer> gpusPerNode,
    Optional<BigDecimal> usdPerGpuHour,
    Optional<BigDecimal> onDemandUsdPerGpuHour,
    Optional<Instant> priceAt,
    Optional<Long> priceAgeSeconds,
    Optional<Instant> observedAt,
    Optional<String> trust,
    Optional<String> availability,
    Optional<String> oddPrice,
    Optional<BlockAnswer> block,
    Optional<Integer> launchLimit,
    Optional<Integer> inFlight,
    Optional<Integer> maxNodes,
    Optional<Integer> readyNodes,
    Optional<Integer> usedNodes) {

  /** Nothing is placed in the scope until then. */
  public record BlockAnswer(
      String scope, String failureClass, String reason, Instant at, Instant until, int repeats) {
    static BlockAnswer of(Block block) {
      return new BlockAnswer(
          block.scope().text(),
          block.failureClass().name(),
          block.reason(),
          block.at(),
          block.until(),
          block.repeats());
    }
  }

  static OfferingAnswer of(OfferingStatus status) {
    OfferingId id = status.id();
    Optional<MarketKey> key = status.key();
    Optional<Observation> seen = status.observation();
    return new OfferingAnswer(
        Optional.of(id.text()),
        true,
        Optional.empty(),
        Optional.of(id.cluster().value()),
        key.map(MarketKey::provider),
        key.map(MarketKey::account),
        key.map(MarketKey::region),
        id.zone(),
        id.instanceType(),
        id.capacityType().text(),
        id.pool().map(Object::toString),
        status.shape().map(shape -> shape.gpu().name()),
        status.shape().map(NodeShape::gpus),
        seen.flatMap(Observation::price).map(price -> price.dollars()),
        seen.flatMap(Observation::onDemandPrice).map(price -> price.dollars()),
        seen.map(Observation::priceAt),
        seen.map(o -> age(o, status.asOf())),
        seen.map(Observation::observedAt),
        seen.map(o -> o.trust().name()),
        seen.map(o -> o.availability().name()),
        status.oddPrice(),
        status.block().map(BlockAnswer::of),
        Optional.of(status.launchLimit()),
        Optional.of(status.inFlight()),
        Optional.of(status.maxNodes()),
        Optional.of(status.readyNodes()),
        Optional.of(status.usedNodes()));
  }

  /** An observation that joins no offering. */
  static OfferingAnswer notLaunchable(Observation seen, Instant now) {
    MarketKey key = seen.key();
    return new OfferingAnswer(
        Optional.empty(),
        false,
        Optional.of(
            "add "
                + key.instanceType()
                + " ("
                + key.capacityType().text()
                + ", zone "
                + key.zone()
                + ") to the capacity of a cluster with account "
                + key.account()
                + " in "
                + key.region()),
        Optional.empty(),
        Optional.of(key.provider()),
        Optional.of(key.account()),
        Optional.of(key.region()),
        key.zone(),
        key.instanceType(),
        key.capacityType().text(),
        Optional.empty(),
        Optional.of(seen.shape().gpu().name()),
        Optional.of(seen.shape().gpus()),
        seen.price().map(price -> price.dollars()),
        seen.onDemandPrice().map(price -> price.dollars()),
        Optional.of(seen.priceAt()),
        Optional.of(age(seen, now)),
        Optional.of(seen.observedAt()),
        Optional.of(seen.trust().name()),
        Optional.of(seen.availability().name()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static long age(Observation seen, Instant now) {
    return Math.max(0, Duration.between(seen.priceAt(), now).toSeconds());
  }
}
