package io.spillway.scheduler.placement;

import io.spillway.scheduler.launch.LaunchWindow;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Pricing;
import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.state.Block;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * What holds of offerings now whatever job asks: price, blocks, flags, launch budget, free nodes.
 * Worked out once per offering and decision; a placement makes it forget what it changed.
 */
final class Board {
  private static final int UNKNOWN = -1;

  private final View view;
  private final Instant now;
  private final Offerings offerings;
  private final NodeShapes shapes;
  private final Pricing pricing;
  private final ClusterGate clusters;
  private final Condition[] conditions;
  private final int[] free;

  Board(View view, Instant now, Terrain terrain) {
    this.view = view;
    this.now = now;
    this.offerings = terrain.offerings();
    this.shapes = terrain.shapes();
    this.pricing = terrain.pricing();
    this.clusters = new ClusterGate(view);
    this.conditions = new Condition[offerings.size()];
    this.free = new int[offerings.size()];
    Arrays.fill(free, UNKNOWN);
  }

  /**
   * What the market and the flags say of an offering.
   *
   * @param refusal why it serves nobody now, if so
   */
  record Condition(Quote quote, Optional<Verdict.Refused> refusal) {}

  Condition condition(Offering offering) {
    Condition known = conditions[offering.index()];
    if (known == null) {
      known = worked(offering);
      conditions[offering.index()] = known;
    }
    return known;
  }

  /** Launches that may be started there now. */
  int launchesLeft(Offering offering) {
    return LaunchWindow.left(
        view.launchLimit(offering.id()),
        inFlight(offering),
        offering.standing(),
        view.failedLately(offering.id()));
  }

  int inFlight(Offering offering) {
    return view.usage().inFlight(offering.id());
  }

  /** Nodes of its group that nothing is on. */
  int freeNodes(Offering offering) {
    if (free[offering.index()] == UNKNOWN) {
      int used = 0;
      for (Offering sharing : offerings.sharing(offering.group())) {
        used +=
            shapes
                .of(sharing)
                .map(node -> NodeRoom.used(node, view.usage().members(sharing.id())))
                .orElse(0);
      }
      for (Offering sharing : offerings.sharing(offering.group())) {
        free[sharing.index()] = Math.max(0, sharing.present() - used);
      }
    }
    return free[offering.index()];
  }

  /** Nodes that the gang would take there beyond those in use. */
  int neededNodes(Offering offering, JobShape gang) {
    return NodeRoom.more(
        shapes.of(offering).orElseThrow(), view.usage().members(offering.id()), gang);
  }

  /** Something was placed there, or dropped. */
  void forget(Offering offering) {
    for (Offering sharing : offerings.sharing(offering.group())) {
      free[sharing.index()] = UNKNOWN;
    }
  }

  Optional<NodeShape> shape(Offering offering) {
    return shapes.of(offering);
  }

  int size() {
    return conditions.length;
  }

  Instant now() {
    return now;
  }

  private Condition worked(Offering offering) {
    Optional<Observation> observed = view.observation(offering.market());
    Quote quote = quote(offering, observed);
    Optional<Verdict.Refused> refusal =
        clusters
            .refusal(offering.id().cluster())
            .or(() -> pool(offering))
            .or(() -> unavailable(observed))
            .or(() -> unusable(quote))
            .or(() -> blocked(offering));
    return new Condition(quote, refusal);
  }

  private Quote quote(Offering offering, Optional<Observation> observed) {
    Optional<NodeShape> node = shapes.of(offering);
    if (offering.pool().isPresent() && node.isPresent()) {
      return pricing.of(offering.pool().get(), node.get(), observed);
    }
    return pricing.of(offering.market(), observed, now);
  }

  private Optional<Verdict.Refused> pool(Offering offering) {
    if (offering.pool().isEmpty()) {
      return Optional.empty();
    }
    PoolPolicy pool = offering.pool().get();
    if (pool.from().map(now::isBefore).orElse(false)) {
      return Optional.of(Verdict.Refused.of(RefusalReason.POOL_NOT_YET, pool.from()));
    }
    if (pool.until().map(end -> !now.isBefore(end)).orElse(false)) {
      return Optional.of(Verdict.Refused.of(RefusalReason.POOL_OVER));
    }
    return view.poolCordoned(pool.name())
        ? Optional.of(Verdict.Refused.of(RefusalReason.POOL_CORDONED))
        : Optional.empty();
  }

  private static Optional<Verdict.Refused> unavailable(Optional<Observation> observed) {
    return observed
        .filter(seen -> seen.availability() == Observation.Availability.UNAVAILABLE)
        .map(seen -> Verdict.Refused.of(RefusalReason.UNAVAILABLE));
  }

  private static Optional<Verdict.Refused> unusable(Quote quote) {
    return quote instanceof Quote.Unusable why
        ? Optional.of(new Verdict.Refused(why.reason(), Optional.empty(), "", why.detail()))
        : Optional.empty();
  }

  private Optional<Verdict.Refused> blocked(Offering offering) {
    return view.block(offering.market(), now)
        .map(
            block ->
                new Verdict.Refused(
                    block.reason().equals(Block.AT_RISK)
                        ? RefusalReason.AT_RISK
                        : RefusalReason.BLOCKED,
                    Optional.of(block.until()),
                    block.scope().text(),
                    block.failureClass() + " " + block.reason()));
  }
}
