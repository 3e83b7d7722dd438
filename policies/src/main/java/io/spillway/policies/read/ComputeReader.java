package io.spillway.policies.read;

import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.ClusterCompute.Allow;
import io.spillway.policies.compute.ClusterCompute.Grants;
import io.spillway.policies.compute.ClusterCompute.HoldSetup;
import io.spillway.policies.compute.ClusterCompute.Identity;
import io.spillway.policies.compute.ClusterCompute.NodeGroup;
import io.spillway.policies.compute.ClusterCompute.SecretRef;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.policies.compute.RdmaSetup;
import io.spillway.policies.compute.Scheduling;
import io.spillway.policies.compute.Scheduling.Toleration;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.ClusterPolicy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Reads the part of a Cluster document that only the translation to Kubernetes needs. */
final class ComputeReader {
  /** As in the manifests of every provider's own RDMA guide; PyTorch's loaders need some GiB. */
  private static final int SHARED_MEMORY_GIB = 32;

  private final VolumeReader volumes;

  ComputeReader(Report report) {
    this.volumes = new VolumeReader(report);
  }

  ClusterCompute read(Fields spec, ClusterPolicy policy) {
    return new ClusterCompute(
        policy.name(),
        spec.text("kind")
            .map(ClusterKind::parse)
            .orElseGet(() -> ClusterKind.ofProvider(policy.provider())),
        scheduling(spec),
        allow(spec.fields("allow")),
        new Grants(
            each(spec, "identities", ComputeReader::identity),
            each(spec, "volumes", volumes::volume),
            each(spec, "weights", volumes::weights),
            each(spec, "secrets", ComputeReader::secret),
            each(spec, "imagePullSecrets", ComputeReader::secret)),
        rdma(spec.fields("rdma")),
        hold(spec.fields("hold")),
        spec.integer("sharedMemoryGiB", SHARED_MEMORY_GIB),
        spec.list("capacity").stream()
            .map(entry -> group(entry, entry.texts("zones"), policy.region()))
            .toList(),
        Map.of());
  }

  /** The nodes of a capacity entry or a pool. */
  static NodeGroup group(Fields entry, List<String> zones, String region) {
    return new NodeGroup(
        entry.required("instanceType"),
        entry.texts("capacityTypes").stream()
            .map(CapacityType::parse)
            .collect(Collectors.toUnmodifiableSet()),
        zones.isEmpty() ? List.of(region) : zones,
        map(entry, "nodeLabels"),
        entry.text("topologyKey"));
  }

  private static Scheduling scheduling(Fields spec) {
    Map<CapacityType, SortedMap<String, String>> byType = new EnumMap<>(CapacityType.class);
    Fields types = spec.fields("capacityTypeLabels");
    for (CapacityType type : CapacityType.values()) {
      if (types.has(type.text())) {
        byType.put(type, map(types, type.text()));
      }
    }
    return new Scheduling(
        tolerations(spec, "tolerations"),
        map(spec, "labels"),
        map(spec, "nodeSelector"),
        spec.text("instanceTypeLabel"),
        spec.text("runtimeClass"),
        spec.text("priorityClass"),
        tolerations(spec, "spotTolerations"),
        byType);
  }

  private static List<Toleration> tolerations(Fields spec, String key) {
    return spec.list(key).stream()
        .map(
            one ->
                new Toleration(
                    one.text("key"),
                    one.text("operator"),
                    one.text("value"),
                    one.text("effect"),
                    one.has("tolerationSeconds")
                        ? Optional.of(one.integer("tolerationSeconds").orElseThrow())
                        : Optional.empty()))
        .toList();
  }

  private static Allow allow(Fields allow) {
    return new Allow(
        flag(allow, "privileged", false),
        new TreeSet<>(allow.texts("hostPath")),
        flag(allow, "hostNetwork", false),
        flag(allow, "driverIdentity", false));
  }

  private static RdmaSetup rdma(Fields rdma) {
    return new RdmaSetup(
        rdma.text("mode").map(RdmaSetup.Mode::parse),
        rdma.text("resource"),
        rdma.integer("count"),
        rdma.texts("networks"),
        rdma.text("topologyConfigMap"),
        map(rdma, "env"));
  }

  private static HoldSetup hold(Fields hold) {
    return new HoldSetup(
        hold.text("image", HoldSetup.PAUSE),
        hold.text("priorityClass"),
        hold.text("provisioningClass"));
  }

  private static Identity identity(String name, Fields entry) {
    return new Identity(
        entry.required("serviceAccount"),
        flag(entry, "create", false),
        map(entry, "annotations"),
        flag(entry, "workloadIdentity", true),
        queues(entry));
  }

  private static SecretRef secret(String name, Fields entry) {
    return new SecretRef(entry.required("name"), queues(entry));
  }

  private static <T> Map<String, T> each(
      Fields spec, String key, BiFunction<String, Fields, T> reader) {
    Map<String, T> read = new TreeMap<>();
    spec.entries(key).forEach((name, entry) -> read.put(name, reader.apply(name, entry)));
    return read;
  }

  static SortedSet<QueueName> queues(Fields entry) {
    SortedSet<QueueName> queues = new TreeSet<>();
    entry.texts("queues").forEach(queue -> queues.add(new QueueName(queue)));
    return queues;
  }

  static boolean flag(Fields fields, String key, boolean otherwise) {
    return fields.text(key).map(Boolean::parseBoolean).orElse(otherwise);
  }

  static SortedMap<String, String> map(Fields fields, String key) {
    SortedMap<String, String> map = new TreeMap<>();
    fields
        .find(key)
        .ifPresent(
            node ->
                ((Tree.Mapping) node)
                    .members()
                    .forEach(
                        (name, member) -> map.put(name, ((Tree.Scalar) member.value()).text())));
    return map;
  }
}
