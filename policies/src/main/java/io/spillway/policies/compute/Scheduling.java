package io.spillway.policies.compute;

import io.spillway.scheduler.model.CapacityType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What every pod sent to a cluster carries so that it lands where it should.
 *
 * @param tolerations on every pod
 * @param labels on every pod
 * @param nodeSelector on every pod
 * @param instanceTypeLabel label of nodes that says their instance type; empty = the kind's own
 * @param spotTolerations on pods of attempts on spot only
 * @param capacityTypeLabels labels of nodes of a capacity type; a type that is missing has the
 *     kind's own
 */
public record Scheduling(
    List<Toleration> tolerations,
    SortedMap<String, String> labels,
    SortedMap<String, String> nodeSelector,
    Optional<String> instanceTypeLabel,
    Optional<String> runtimeClass,
    Optional<String> priorityClass,
    List<Toleration> spotTolerations,
    Map<CapacityType, SortedMap<String, String>> capacityTypeLabels) {

  public static final Scheduling NONE =
      new Scheduling(
          List.of(),
          new TreeMap<>(),
          new TreeMap<>(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Map.of());

  public Scheduling {
    tolerations = List.copyOf(tolerations);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    nodeSelector = Collections.unmodifiableSortedMap(new TreeMap<>(nodeSelector));
    spotTolerations = List.copyOf(spotTolerations);
    Map<CapacityType, SortedMap<String, String>> byType = new EnumMap<>(CapacityType.class);
    byType.putAll(capacityTypeLabels);
    capacityTypeLabels = Collections.unmodifiableMap(byType);
  }

  /**
   * A toleration as Kubernetes writes it.
   *
   * @param seconds how long a NoExecute taint is borne; empty = for ever
   */
  public record Toleration(
      Optional<String> key,
      Optional<String> operator,
      Optional<String> value,
      Optional<String> effect,
      Optional<Integer> seconds) {}
}
