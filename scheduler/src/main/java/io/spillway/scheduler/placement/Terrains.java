package io.spillway.scheduler.placement;

import io.spillway.scheduler.market.PriceAge;
import io.spillway.scheduler.market.Pricing;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.state.Catalogue;
import io.spillway.scheduler.state.Inventory;
import io.spillway.scheduler.state.View;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps the terrain of the state that was asked for last. It is a function of the state alone: what
 * is kept is only reused while the catalogue is the same object and nodes and shapes are unchanged.
 */
final class Terrains {
  private final PriceAge age;
  private Optional<Kept> kept = Optional.empty();

  private record Kept(
      Inventory inventory,
      long generation,
      Catalogue catalogue,
      Map<ClusterName, NodeCensus> census,
      Terrain terrain) {}

  Terrains(PriceAge age) {
    this.age = age;
  }

  Terrain of(View view) {
    Inventory inventory = view.inventory();
    Optional<Kept> same = kept.filter(it -> it.catalogue() == view.catalogue());
    if (same.isPresent()
        && same.get().inventory() == inventory
        && same.get().generation() == inventory.generation()) {
      return same.get().terrain();
    }
    Map<ClusterName, NodeCensus> census = new TreeMap<>();
    for (ClusterName cluster : inventory.clusters()) {
      census.put(cluster, NodeCensus.of(inventory.nodes(cluster).values()));
    }
    Optional<Terrain> old = same.filter(it -> it.census().equals(census)).map(Kept::terrain);
    Offerings offerings =
        old.map(Terrain::offerings)
            .orElseGet(() -> Offerings.of(view.policies(), view.catalogue(), census));
    NodeShapes shapes = NodeShapes.of(offerings, offering -> view.shape(offering.id()));
    Terrain terrain =
        old.filter(it -> it.shapes().equals(shapes))
            .orElseGet(
                () ->
                    new Terrain(
                        view.policies(),
                        offerings,
                        shapes,
                        new Pricing(view.policies().priceOverrides(), age)));
    kept =
        Optional.of(new Kept(inventory, inventory.generation(), view.catalogue(), census, terrain));
    return terrain;
  }
}
