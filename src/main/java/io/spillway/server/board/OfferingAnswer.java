package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.RefusalReason;
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
 * @param notLaunchable what would make it launchable, and whether that would pay
 * @param usdPerGpuHour as observed; missing = no price is known. {@code usdPerNodeHour} is that of
 *     all GPUs of the machine
 * @param priceAt since when by the provider's word, {@code priceAgeSeconds} ago
 * @param priceUsableUntil when its age takes the price out of use
 * @param observedAt when a probe last saw it, changed or not, {@code observationAgeSeconds} ago;
 *     while its account fails this ages
 * @param source the probe's call, or the shipped catalogue
 * @param priceNotUsed why nothing is placed by the price, if so
 * @param oddPrice why the price cannot be true, if it cannot: it is quarantined
 * @param breaker {@code OPEN}: blocked; {@code HALF_OPEN}: one trial launch at a time until one
 *     comes to run
 * @param launchLimit launches that may be in flight, with {@code inFlight} of them
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "One line of the market board")
public record OfferingAnswer(
    @Schema(examples = "eks-ohio~use2-az1~p5.48xlarge~spot") Optional<String> id,
    boolean launchable,
    Optional<NotLaunchable> notLaunchable,
    Optional<String> cluster,
    Optional<String> provider,
    Optional<String> account,
    Optional<String> region,
    String zone,
    String instanceType,
    @Schema(enumeration = {"spot", "on-demand", "reserved"}) String capacityType,
    Optional<String> reservationId,
    Optional<String> pool,
    Optional<String> gpu,
    Optional<Integer> gpusPerNode,
    Optional<BigDecimal> usdPerGpuHour,
    Optional<BigDecimal> usdPerNodeHour,
    Optional<BigDecimal> onDemandUsdPerGpuHour,
    Optional<Instant> priceAt,
    Optional<Long> priceAgeSeconds,
    Optional<Instant> priceUsableUntil,
    Optional<Instant> observedAt,
    Optional<Long> observationAgeSeconds,
    Optional<String> source,
    Optional<String> trust,
    Optional<String> availability,
    Optional<PriceNotUsed> priceNotUsed,
    Optional<String> oddPrice,
    Optional<BlockAnswer> block,
    @Schema(enumeration = {"CLOSED", "HALF_OPEN", "OPEN"}) Optional<String> breaker,
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

  /**
   * Sold, but no cluster can start it.
   *
   * @param use the policies to write
   * @param wayIn what must stand there, by the provider's module
   * @param wouldBeCheapest of all that is sold of its GPU model, pools aside
   * @param cheapestLaunchableUsdPerGpuHour what the cheapest launchable of its model costs
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record NotLaunchable(
      String use,
      String wayIn,
      boolean wouldBeCheapest,
      Optional<BigDecimal> cheapestLaunchableUsdPerGpuHour) {}

  /** A reason of {@code explain}, and the numbers behind it. */
  public record PriceNotUsed(String reason, String detail) {}

  /**
   * @param seenAt when a probe last saw it
   * @param quote empty for a pool, whose price is the policy's word
   * @param failedLately a launch was refused there and none came to run since
   */
  static OfferingAnswer of(
      OfferingStatus status,
      Optional<Instant> seenAt,
      Optional<Quote> quote,
      boolean failedLately) {
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
        key.flatMap(MarketKey::reservation),
        id.pool().map(Object::toString),
        status.shape().map(shape -> shape.gpu().name()),
        status.shape().map(NodeShape::gpus),
        seen.flatMap(Observation::price).map(price -> price.dollars()),
        seen.flatMap(OfferingAnswer::ofNode),
        seen.flatMap(Observation::onDemandPrice).map(price -> price.dollars()),
        seen.map(Observation::priceAt),
        seen.map(o -> age(o.priceAt(), status.asOf())),
        quote.flatMap(OfferingAnswer::usableUntil),
        seenAt,
        seenAt.map(at -> age(at, status.asOf())),
        seen.map(Observation::source),
        seen.map(o -> o.trust().name()),
        seen.map(o -> o.availability().name()),
        quote.flatMap(OfferingAnswer::notUsed),
        status.oddPrice(),
        status.block().map(BlockAnswer::of),
        Optional.of(breaker(status.block().isPresent(), failedLately)),
        Optional.of(status.launchLimit()),
        Optional.of(status.inFlight()),
        Optional.of(status.maxNodes()),
        Optional.of(status.readyNodes()),
        Optional.of(status.usedNodes()));
  }

  /** An observation that joins no offering. */
  static OfferingAnswer notLaunchable(
      Observation seen,
      Instant seenAt,
      Quote quote,
      Optional<Block> block,
      NotLaunchable why,
      Instant now) {
    MarketKey key = seen.key();
    return new OfferingAnswer(
        Optional.empty(),
        false,
        Optional.of(why),
        Optional.empty(),
        Optional.of(key.provider()),
        Optional.of(key.account()),
        Optional.of(key.region()),
        key.zone(),
        key.instanceType(),
        key.capacityType().text(),
        key.reservation(),
        Optional.empty(),
        Optional.of(seen.shape().gpu().name()),
        Optional.of(seen.shape().gpus()),
        seen.price().map(price -> price.dollars()),
        ofNode(seen),
        seen.onDemandPrice().map(price -> price.dollars()),
        Optional.of(seen.priceAt()),
        Optional.of(age(seen.priceAt(), now)),
        usableUntil(quote),
        Optional.of(seenAt),
        Optional.of(age(seenAt, now)),
        Optional.of(seen.source()),
        Optional.of(seen.trust().name()),
        Optional.of(seen.availability().name()),
        notUsed(quote),
        odd(quote),
        block.map(BlockAnswer::of),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Of the whole machine, by the exact price of a GPU: rounded once. */
  private static Optional<BigDecimal> ofNode(Observation seen) {
    return seen.price()
        .map(price -> price.cost(seen.shape().gpus(), Duration.ofHours(1)).dollars());
  }

  private static Optional<Instant> usableUntil(Quote quote) {
    return quote instanceof Quote.Priced priced ? priced.until() : Optional.empty();
  }

  private static Optional<PriceNotUsed> notUsed(Quote quote) {
    return quote instanceof Quote.Unusable unusable
        ? Optional.of(new PriceNotUsed(unusable.reason().name(), unusable.detail()))
        : Optional.empty();
  }

  private static Optional<String> odd(Quote quote) {
    return quote instanceof Quote.Unusable unusable
            && unusable.reason() == RefusalReason.PRICE_QUARANTINED
        ? Optional.of(unusable.detail())
        : Optional.empty();
  }

  private static String breaker(boolean blocked, boolean failedLately) {
    if (blocked) {
      return "OPEN";
    }
    return failedLately ? "HALF_OPEN" : "CLOSED";
  }

  private static long age(Instant since, Instant now) {
    return Math.max(0, Duration.between(since, now).toSeconds());
  }
}
