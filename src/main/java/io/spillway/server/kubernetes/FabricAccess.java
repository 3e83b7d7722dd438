package io.spillway.server.kubernetes;

import io.spillway.policies.compute.ClusterKind;
import io.spillway.policies.compute.RdmaSetup;
import io.spillway.policies.compute.RdmaSetup.Mode;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.Rdma;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How a pod reaches the fabric of its offering: by the cluster's kind, unless the policy says how.
 */
final class FabricAccess {
  private static final String NETWORKS = "k8s.v1.cni.cncf.io/networks";
  private static final String DEVICES = "/dev/infiniband";
  private static final String VIRTUAL_FUNCTION = "nvidia.com/rdma-vf";
  private static final String SHARED_IB = "rdma/shared_ib";
  private static final String IB = "rdma/ib";

  private FabricAccess() {}

  /** Whether the job's pods use a fabric at all. */
  static boolean used(Placement placement) throws Untranslatable {
    return switch (placement.job().launch().rdma()) {
      case NONE -> false;
      case PREFERRED -> placement.nodes() > 1 && placement.fabric().isPresent();
      case REQUIRED -> {
        if (placement.fabric().isEmpty()) {
          throw new Untranslatable(
              RefusalCode.NO_FABRIC, "the policy names no fabric for " + placement.offering());
        }
        yield true;
      }
    };
  }

  /** Adds nothing, or all of it. */
  static void addTo(PodDraft pod, Placement placement) throws Untranslatable {
    Optional<RdmaParts> parts = parts(placement);
    if (parts.isPresent()) {
      placement.compute().rdma().env().forEach(parts.get()::env);
      parts.get().addTo(pod);
      Fabrics.addTo(pod, placement, placement.fabric().orElseThrow());
    }
  }

  /**
   * Adds what decides which node a pod gets, and what the node gets: Karpenter attaches EFA to a
   * machine only for a pod that asks for it, so that a place kept without would be no use.
   */
  static void placeTo(PodDraft pod, Placement placement) throws Untranslatable {
    Optional<RdmaParts> parts = parts(placement);
    if (parts.isPresent()) {
      parts.get().devicesTo(pod);
      Fabrics.addTo(pod, placement, placement.fabric().orElseThrow());
    }
  }

  /** Empty: over the ordinary network. */
  private static Optional<RdmaParts> parts(Placement placement) throws Untranslatable {
    if (!used(placement)) {
      return Optional.empty();
    }
    try {
      return Optional.of(parts(placement, placement.fabric().orElseThrow()));
    } catch (Untranslatable refused) {
      if (placement.job().launch().rdma() == Rdma.REQUIRED) {
        throw refused;
      }
      // It was only preferred: over the ordinary network it runs as well, slower.
      return Optional.empty();
    }
  }

  private static RdmaParts parts(Placement placement, Fabric fabric) throws Untranslatable {
    RdmaSetup setup = placement.compute().rdma();
    RdmaParts parts = new RdmaParts(placement.compute().allow());
    setup.topologyConfigMap().ifPresent(map -> topology(parts, map));
    Optional<Mode> mode = setup.mode();
    if (mode.isPresent() && placement.kind() != ClusterKind.OKE) {
      return switch (mode.get()) {
        case HOST_NETWORK -> hostNetwork(parts, placement).env("NCCL_IB_HCA", "mlx5");
        case SR_IOV -> virtualFunctions(parts, placement);
        case DEVICE_PLUGIN -> plugin(parts, placement);
      };
    }
    return switch (placement.kind()) {
      case EKS -> efa(parts, placement);
      case AKS -> aks(parts, placement);
      case GKE -> gke(parts, placement);
      case OKE -> oke(parts, placement);
      case COREWEAVE -> coreweave(parts, placement, fabric);
      case K3S -> hostNetwork(parts, placement).env("NCCL_IB_HCA", "mlx5");
    };
  }

  /** The plugin gives the devices: neither the host's network nor privileges. */
  private static RdmaParts efa(RdmaParts parts, Placement placement) throws Untranslatable {
    String type = placement.offering().instanceType();
    int whole =
        orElse(placement.compute().rdma().count(), RdmaProfiles.efa(type))
            .orElseThrow(
                () ->
                    unknown(
                        "how many EFA interfaces "
                            + type
                            + " has; the policy can say it as rdma.count"));
    return parts
        .device("vpc.amazonaws.com/efa", share(whole, placement))
        .hugePages("2Mi", "5120Mi")
        .env(RdmaProfiles.efaEnv());
  }

  private static RdmaParts aks(RdmaParts parts, Placement placement) throws Untranslatable {
    RdmaSetup setup = placement.compute().rdma();
    String resource =
        setup
            .resource()
            .or(() -> present(placement, SHARED_IB))
            .or(() -> present(placement, IB))
            .orElseThrow(
                () ->
                    unknown(
                        "whether nodes offer rdma/shared_ib or rdma/ib: none is there to be asked;"
                            + " the policy can say it as rdma.resource"));
    // The shared plugin's one gives all adapters; the SR-IOV plugin counts them, one a GPU.
    int count = resource.equals(SHARED_IB) ? 1 : placement.gpusPerNode();
    networks(parts, setup.networks(), 1);
    return parts
        .device(resource, setup.count().orElse(count))
        .locksMemory()
        .env(RdmaProfiles.aksEnv());
  }

  private static RdmaParts gke(RdmaParts parts, Placement placement) throws Untranslatable {
    String machine = placement.offering().instanceType();
    if (!RdmaProfiles.gkeRdma(machine)) {
      throw unknown("RDMA of " + machine + ": GPUDirect-TCPX and TCPXO are not supported");
    }
    needsWholeNodes(placement);
    List<String> named = placement.compute().rdma().networks();
    StringBuilder interfaces =
        new StringBuilder("[{\"interfaceName\":\"eth0\",\"network\":\"default\"}");
    for (int i = 0; i < 8; i++) {
      String network = i < named.size() ? named.get(i) : "rdma-" + i;
      interfaces
          .append(",{\"interfaceName\":\"eth")
          .append(i + 2)
          .append("\",\"network\":")
          .append(CanonicalJson.of(network))
          .append('}');
    }
    return parts
        .annotation("networking.gke.io/default-interface", "eth0")
        .annotation("networking.gke.io/interfaces", interfaces.append(']').toString())
        .hostPath("gib", "/home/kubernetes/bin/gib", "/usr/local/gib")
        .hostPath("nvidia", "/home/kubernetes/bin/nvidia", "/usr/local/nvidia")
        .locksMemory()
        .env("LD_LIBRARY_PATH", "/usr/local/nvidia/lib64")
        .env("NCCL_NET", "gIB")
        .prelude(". /usr/local/gib/scripts/set_nccl_env.sh");
  }

  /** Oracle's own manifests, in either way. */
  private static RdmaParts oke(RdmaParts parts, Placement placement) throws Untranslatable {
    String shape = placement.offering().instanceType();
    RdmaSetup setup = placement.compute().rdma();
    Mode mode =
        setup
            .mode()
            .orElse(
                present(placement, VIRTUAL_FUNCTION).isPresent() ? Mode.SR_IOV : Mode.HOST_NETWORK);
    return switch (mode) {
      case HOST_NETWORK -> {
        SortedMap<String, String> values =
            RdmaProfiles.ofShape(shape)
                .orElseThrow(() -> unknown("NCCL's values for the shape " + shape));
        yield hostNetwork(parts, placement).env(values);
      }
      case SR_IOV -> virtualFunctions(parts, placement);
      case DEVICE_PLUGIN -> plugin(parts, placement);
    };
  }

  private static RdmaParts coreweave(RdmaParts parts, Placement placement, Fabric fabric) {
    RdmaSetup setup = placement.compute().rdma();
    networks(parts, setup.networks(), 1);
    // A switch and not a count: one gives all adapters, on RoCE fleets too.
    return parts
        .device(setup.resource().orElse(IB), setup.count().orElse(1))
        .locksMemory()
        .env(RdmaProfiles.coreweaveEnv(fabric.type()));
  }

  private static RdmaParts hostNetwork(RdmaParts parts, Placement placement) throws Untranslatable {
    needsWholeNodes(placement);
    return parts.privileged().hostNetwork().hostPath("infiniband", DEVICES, DEVICES);
  }

  private static RdmaParts virtualFunctions(RdmaParts parts, Placement placement)
      throws Untranslatable {
    needsWholeNodes(placement);
    String shape = placement.offering().instanceType();
    RdmaSetup setup = placement.compute().rdma();
    int count =
        orElse(setup.count(), RdmaProfiles.virtualFunctions(shape))
            .orElseThrow(
                () ->
                    unknown(
                        "how many virtual functions "
                            + shape
                            + " has; the policy can say it as rdma.count"));
    List<String> named = setup.networks().isEmpty() ? List.of("default/rdma-vf") : setup.networks();
    networks(parts, named, count);
    return parts
        .device(setup.resource().orElse(VIRTUAL_FUNCTION), count)
        .privileged()
        .hostPath("infiniband", DEVICES, DEVICES)
        .env("NCCL_IB_HCA", "mlx5");
  }

  private static RdmaParts plugin(RdmaParts parts, Placement placement) {
    RdmaSetup setup = placement.compute().rdma();
    networks(parts, setup.networks(), 1);
    return parts.device(setup.resource().orElse(IB), setup.count().orElse(1)).locksMemory();
  }

  /** One network that is named alone is joined as often as there are functions. */
  private static void networks(RdmaParts parts, List<String> named, int times) {
    if (!named.isEmpty()) {
      List<String> all = named.size() == 1 ? Collections.nCopies(times, named.get(0)) : named;
      parts.annotation(NETWORKS, String.join(",", all));
    }
  }

  private static void topology(RdmaParts parts, String configMap) {
    parts.topology(configMap).env("NCCL_TOPO_FILE", "/etc/topo/topo.xml");
  }

  private static void needsWholeNodes(Placement placement) throws Untranslatable {
    if (!placement.wholeNodes()) {
      throw new Untranslatable(
          RefusalCode.NEEDS_WHOLE_NODES,
          "RDMA opens all devices of a node here; ask for all GPUs of "
              + placement.offering().instanceType());
    }
  }

  /** As many of a machine's devices as the job has of its GPUs. */
  private static int share(int whole, Placement placement) {
    return placement
        .node()
        .map(node -> Math.max(1, whole * placement.gpusPerNode() / node.gpus()))
        .orElse(whole);
  }

  private static Optional<String> present(Placement placement, String resource) {
    return placement.ability().resources().contains(resource)
        ? Optional.of(resource)
        : Optional.empty();
  }

  private static Optional<Integer> orElse(
      java.util.OptionalInt written, java.util.OptionalInt usual) {
    if (written.isPresent()) {
      return Optional.of(written.getAsInt());
    }
    return usual.isPresent() ? Optional.of(usual.getAsInt()) : Optional.empty();
  }

  private static Untranslatable unknown(String what) {
    return new Untranslatable(RefusalCode.FABRIC_UNKNOWN, "nobody told " + what);
  }
}
