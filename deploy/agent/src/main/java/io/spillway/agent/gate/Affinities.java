package io.spillway.agent.gate;

/** Where a pod wants to be. Only its own namespace's pods count as neighbours. */
final class Affinities {
  private static final int MOST = 64;

  /** Nodes that are left out by name, one requirement each; a large cluster has many sick ones. */
  private static final int MOST_NODES = 256;

  private Affinities() {}

  static Shape shape() {
    Shape expression =
        Shape.fields()
            .must("key", Shape.text(316))
            .must("operator", Shape.oneOf("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
            .may("values", Shape.list(Shape.text(253), 4096));
    Shape nodeTerm =
        Shape.fields()
            .may("matchExpressions", Shape.list(expression, MOST))
            .may("matchFields", Shape.list(expression, MOST_NODES));
    Shape selector =
        Shape.fields()
            .may("matchLabels", Shape.map(key -> key.length() <= 316, Shape.text(63)))
            .may("matchExpressions", Shape.list(expression, MOST));
    Shape podTerm =
        Shape.fields().must("topologyKey", Shape.text(316)).must("labelSelector", selector);
    Shape pods =
        Shape.fields()
            .may("requiredDuringSchedulingIgnoredDuringExecution", Shape.list(podTerm, MOST))
            .may(
                "preferredDuringSchedulingIgnoredDuringExecution",
                Shape.list(
                    Shape.fields()
                        .must("weight", Shape.number(1, 100))
                        .must("podAffinityTerm", podTerm),
                    MOST));
    return Shape.fields()
        .may(
            "nodeAffinity",
            Shape.fields()
                .may(
                    "requiredDuringSchedulingIgnoredDuringExecution",
                    Shape.fields().must("nodeSelectorTerms", Shape.list(nodeTerm, MOST)))
                .may(
                    "preferredDuringSchedulingIgnoredDuringExecution",
                    Shape.list(
                        Shape.fields()
                            .must("weight", Shape.number(1, 100))
                            .must("preference", nodeTerm),
                        MOST)))
        .may("podAffinity", pods)
        .may("podAntiAffinity", pods);
  }
}
