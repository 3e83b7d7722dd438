package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.spillway.policies.compute.ClusterCompute.Allow;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What reaching a fabric adds to a pod. Collected before anything of it is put into a pod, since a
 * job that only prefers RDMA runs without it when a part is refused.
 */
final class RdmaParts {
  private static final String IPC_LOCK = "IPC_LOCK";

  private final Allow allow;
  private final SortedMap<String, String> env = new TreeMap<>();
  private final SortedMap<String, String> annotations = new TreeMap<>();
  private final SortedMap<String, Integer> devices = new TreeMap<>();
  private final SortedMap<String, Quantity> pages = new TreeMap<>();
  private final List<Host> hostPaths = new ArrayList<>();
  private final List<String> preludes = new ArrayList<>();
  private String topologyMap = "";
  private boolean privileged;
  private boolean hostNetwork;
  private boolean locksMemory;

  private record Host(String name, String path, String mountPath) {}

  RdmaParts(Allow allow) {
    this.allow = allow;
  }

  RdmaParts env(SortedMap<String, String> more) {
    env.putAll(more);
    return this;
  }

  RdmaParts env(String name, String value) {
    env.put(name, value);
    return this;
  }

  RdmaParts annotation(String name, String value) {
    annotations.put(name, value);
    return this;
  }

  RdmaParts device(String resource, int count) {
    devices.put(resource, count);
    return this;
  }

  /** EFA's provider keeps its buffers in huge pages. */
  RdmaParts hugePages(String size, String quantity) {
    pages.put("hugepages-" + size, new Quantity(quantity));
    return this;
  }

  /** Registered memory is locked memory. */
  RdmaParts locksMemory() {
    locksMemory = true;
    return this;
  }

  RdmaParts prelude(String line) {
    preludes.add(line);
    return this;
  }

  RdmaParts topology(String configMap) {
    topologyMap = configMap;
    return this;
  }

  RdmaParts privileged() throws Untranslatable {
    if (!allow.privileged()) {
      throw new Untranslatable(
          RefusalCode.PRIVILEGED_NOT_ALLOWED,
          "RDMA needs a privileged container here, which the cluster's policy does not allow");
    }
    privileged = true;
    return locksMemory();
  }

  RdmaParts hostNetwork() throws Untranslatable {
    if (!allow.hostNetwork()) {
      throw new Untranslatable(
          RefusalCode.HOST_NETWORK_NOT_ALLOWED,
          "RDMA needs the host's network here, which the cluster's policy does not allow");
    }
    hostNetwork = true;
    return this;
  }

  RdmaParts hostPath(String name, String path, String mountPath) throws Untranslatable {
    if (!allow.hostPath(path)) {
      throw new Untranslatable(
          RefusalCode.HOST_PATH_NOT_ALLOWED,
          "RDMA needs the host's " + path + " here, which the cluster's policy does not allow");
    }
    hostPaths.add(new Host(name, path, mountPath));
    return this;
  }

  /** What a node must have. */
  void devicesTo(PodDraft pod) {
    devices.forEach(pod::device);
    pages.forEach(
        (name, quantity) -> {
          pod.limits.put(name, quantity);
          pod.requests.put(name, quantity);
          // The API server takes huge pages only beside ordinary memory.
          pod.requests.putIfAbsent("memory", new Quantity("8Gi"));
        });
  }

  /** A user's own value of a tuning variable is kept. */
  void addTo(PodDraft pod) {
    env.forEach(pod::envUnlessSet);
    pod.annotations.putAll(annotations);
    devicesTo(pod);
    for (Host host : hostPaths) {
      pod.volume(
          new VolumeBuilder()
              .withName(host.name())
              .withNewHostPath()
              .withPath(host.path())
              .endHostPath()
              .build(),
          new VolumeMountBuilder().withName(host.name()).withMountPath(host.mountPath()).build());
    }
    if (!topologyMap.isEmpty()) {
      pod.volume(
          new VolumeBuilder()
              .withName("topology")
              .withNewConfigMap()
              .withName(topologyMap)
              .endConfigMap()
              .build(),
          new VolumeMountBuilder().withName("topology").withMountPath("/etc/topo").build());
    }
    pod.privileged |= privileged;
    pod.hostNetwork |= hostNetwork;
    if (locksMemory) {
      pod.capabilities.add(IPC_LOCK);
    }
    pod.preludes.addAll(preludes);
  }
}
