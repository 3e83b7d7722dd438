package io.spillway.scheduler.placement;

import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.queue.Touch;
import io.spillway.scheduler.queue.WakeRules;
import io.spillway.scheduler.state.View;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a cycle's events touched, each thing once, resolved to offerings. */
final class Touched {
  private final View view;
  private final Offerings offerings;

  /** Nodes may be free there, or a launch be no longer in flight. */
  final Set<Offering> freed = new LinkedHashSet<>();

  /** Another observation. */
  final Set<Offering> observed = new LinkedHashSet<>();

  /** A block began or ended. */
  final Set<BlockScope> scopes = new TreeSet<>();

  /** Flags or nodes changed. */
  final Set<ClusterName> clusters = new TreeSet<>();

  /** A pool's flag changed, or nodes were taken. */
  final Set<Offering> others = new LinkedHashSet<>();

  /** A pause began or ended; the empty name is everybody's. */
  final Set<String> pauses = new TreeSet<>();

  /** Policies changed: look at everything. */
  boolean everything;

  Touched(View view, Offerings offerings) {
    this.view = view;
    this.offerings = offerings;
  }

  void add(List<Event> events) {
    events.forEach(event -> WakeRules.of(event).ifPresent(this::add));
  }

  /** An attempt was dropped within the decision. */
  void freed(OfferingId offering) {
    offerings.find(offering).ifPresent(freed::add);
  }

  /** Offerings at which something may have got worse, so that what is held there may be lost. */
  Collection<Offering> doubtful() {
    Set<Offering> doubtful = new LinkedHashSet<>(others);
    scopes.forEach(scope -> doubtful.addAll(offerings.covered(scope)));
    clusters.forEach(cluster -> doubtful.addAll(offerings.in(cluster)));
    return doubtful;
  }

  private void add(Touch touch) {
    switch (touch) {
      case Touch.Freed it ->
          view.attempt(it.attempt()).map(Attempt::placement).ifPresent(at -> freed(at.offering()));
      case Touch.Launched it -> freed(it.offering());
      case Touch.Used it -> offerings.find(it.offering()).ifPresent(others::add);
      case Touch.Observed it -> observed.addAll(offerings.sold(it.key()));
      case Touch.Blocked it -> scopes.add(it.scope());
      case Touch.InCluster it -> clusters.add(it.cluster());
      case Touch.InPool it ->
          offerings.all().stream()
              .filter(offering -> offering.id().pool().filter(it.pool()::equals).isPresent())
              .forEach(others::add);
      case Touch.Paused it -> pauses.add(it.queue());
      case Touch.Policies it -> everything = true;
    }
  }
}
