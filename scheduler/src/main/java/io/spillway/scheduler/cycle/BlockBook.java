package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.MarketEvent.BlockLifted;
import io.spillway.scheduler.event.MarketEvent.BlockPlaced;
import io.spillway.scheduler.event.MarketEvent.FailureCounted;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.state.Block;
import io.spillway.scheduler.state.OfferingSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One job's failure is every job's knowledge. A failure blocks its scope from the failure's own
 * time; one that follows a block which is over but not forgotten doubles the time, up to the
 * longest. Failures while the block is in force come from launches that were under way already:
 * they may extend it, but say nothing new.
 */
final class BlockBook {
  private final Scene scene;

  BlockBook(Scene scene) {
    this.scene = scene;
  }

  /**
   * Counts a failure and blocks its scope, unless a launch succeeded there after it.
   *
   * @return until when the scope is blocked; empty if it is not
   */
  Optional<Instant> count(CapacityFailure reported) {
    CapacityFailure failure = notAhead(reported);
    if (isOutdated(failure)) {
      scene.emit(new FailureCounted(failure, List.of()));
      return Optional.empty();
    }
    scene.emit(new FailureCounted(failure, humbled(failure)));
    return block(failure);
  }

  private Optional<Instant> block(CapacityFailure failure) {
    Optional<Block> before = scene.view().blockOf(failure.scope());
    boolean remembered =
        before
            .filter(block -> failure.at().isBefore(block.forgottenAt()))
            .filter(block -> !block.reason().equals(Block.AT_RISK))
            .isPresent();
    int repeats = remembered ? before.get().repeats() : 0;
    if (remembered && !before.get().inForce(failure.at())) {
      repeats++;
    }
    Instant until = failure.at().plus(grown(failure, repeats));
    if (remembered && before.get().until().isAfter(until)) {
      return Optional.of(before.get().until());
    }
    BlockPlaced placed =
        new BlockPlaced(
            failure.scope(), failure.failureClass(), failure.code(), failure.at(), until, repeats);
    if (failure.block().isPositive() && until.isAfter(scene.now())) {
      scene.emit(placed);
      return Optional.of(until);
    }
    return Optional.empty();
  }

  /** Keeps new placements off a scope that is at risk; never shortens a block. */
  void risk(BlockScope scope, Instant at) {
    Instant until = at.plus(scene.settings().blocks().risk());
    boolean longer =
        scene.view().blockOf(scope).filter(block -> !block.until().isBefore(until)).isPresent();
    if (!longer && until.isAfter(scene.now())) {
      int repeats = scene.view().blockOf(scope).map(Block::repeats).orElse(0);
      scene.emit(new BlockPlaced(scope, FailureClass.UNKNOWN, Block.AT_RISK, at, until, repeats));
    }
  }

  /** An operator's block, for exactly that time. */
  void set(BlockScope scope, Duration time, String reason) {
    scene.emit(
        new BlockPlaced(
            scope, FailureClass.UNKNOWN, reason, scene.now(), scene.now().plus(time), 0));
  }

  void lift(BlockScope scope) {
    if (scene.view().blockOf(scope).isPresent()) {
      scene.emit(new BlockLifted(scope, scene.now()));
    }
  }

  /** A launch came to run: what was thought of exactly that offering before it is refuted. */
  void succeeded(OfferingId offering) {
    scene.view().catalogue().key(offering).map(BlockScope::of).ifPresent(this::lift);
  }

  private Duration grown(CapacityFailure failure, int repeats) {
    Duration base = failure.block();
    Duration longest =
        failure
            .longest()
            .orElseGet(() -> scene.settings().blocks().longest(failure.failureClass()));
    Duration time = base;
    for (int i = 0; i < repeats && time.compareTo(longest) < 0; i++) {
      time = time.multipliedBy(2);
    }
    // A provider's own word may be longer than what repetition may grow to.
    return time.compareTo(longest) > 0 ? (base.compareTo(longest) > 0 ? base : longest) : time;
  }

  private CapacityFailure notAhead(CapacityFailure failure) {
    return failure.at().isAfter(scene.now()) ? failure.at(scene.now()) : failure;
  }

  private boolean isOutdated(CapacityFailure failure) {
    return covered(failure.scope()).stream()
        .anyMatch(id -> scene.view().launchBudget(id).provenAt().isAfter(failure.at()));
  }

  /** Throttling and outages say nothing about capacity. */
  private List<OfferingId> humbled(CapacityFailure failure) {
    boolean aboutCapacity =
        switch (failure.failureClass()) {
          case NO_CAPACITY, QUOTA, PRICE_TOO_LOW -> true;
          case THROTTLED, TRANSIENT, AUTH, INVALID, UNKNOWN -> false;
        };
    return aboutCapacity
        ? covered(failure.scope()).stream().filter(id -> scene.view().launchLimit(id) > 1).toList()
        : List.of();
  }

  private List<OfferingId> covered(BlockScope scope) {
    return scene.view().catalogue().specs().values().stream()
        .filter(spec -> scope.covers(spec.key()))
        .map(OfferingSpec::id)
        .toList();
  }
}
