package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.NodeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a node of each offering has: by its own observation, else by the nodes its cluster's agent
 * reported of that type, else by any observation of the provider's type. Equal shapes give equal
 * matches, so that a price that moves does not cost a new match.
 */
public record NodeShapes(List<Optional<NodeShape>> byIndex) {

  public NodeShapes {
    byIndex = List.copyOf(byIndex);
  }

  public static NodeShapes of(Offerings offerings, Function<Offering, Optional<NodeShape>> shape) {
    List<Optional<NodeShape>> shapes = new ArrayList<>(offerings.size());
    offerings.all().forEach(offering -> shapes.add(shape.apply(offering)));
    return new NodeShapes(shapes);
  }

  public Optional<NodeShape> of(Offering offering) {
    return byIndex.get(offering.index());
  }
}
