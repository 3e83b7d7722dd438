package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The nodes of one test in one cluster, as their clouds would number and label them: EC2's of node
 * groups managed by EKS, OCI's of a capacity reservation.
 */
public final class Machines {
  private final TestKubelet kubelet;
  private final String prefix;
  private final Map<String, UnaryOperator<TestNode>> kinds = new LinkedHashMap<>();
  private int made;

  private Machines(TestKubelet kubelet, String prefix) {
    this.kubelet = kubelet;
    this.prefix = prefix;
  }

  /**
   * None so far.
   *
   * @param prefix of their names, a test's own
   */
  public static Machines of(TestKubelet kubelet, String prefix) {
    return new Machines(kubelet, prefix);
  }

  public static TestNode spot(TestNode node) {
    return node.with("eks.amazonaws.com/capacityType", "SPOT");
  }

  public static TestNode onDemand(TestNode node) {
    return node.with("eks.amazonaws.com/capacityType", "ON_DEMAND");
  }

  private static TestNode bareMetal(TestNode node) {
    return new TestNode(
            node.name(),
            "ocid1.instance.oc1.eu-frankfurt-1.example" + node.name().replace("-", ""),
            node.labels(),
            node.resources(),
            Map.of("nvidia.com/gpu", "present:NoSchedule"))
        .with("topology.kubernetes.io/region", "eu-frankfurt-1")
        .with("topology.kubernetes.io/zone", "EU-FRANKFURT-1-AD-1")
        .with("node.kubernetes.io/instance-type", "BM.GPU.H100.8")
        .with(
            "oci.oraclecloud.com/host.capacity_reservation_id",
            "ocid1.capacityreservation.oc1.eu-frankfurt-1.example");
  }

  /** Brings up so many of EC2's p5.48xlarge. */
  public synchronized void add(int count, UnaryOperator<TestNode> kind)
      throws IOException, InterruptedException {
    for (int i = 0; i < count; i++) {
      String name = prefix + "-" + made;
      String instance = String.format(Locale.ROOT, "i-%08x%09x", prefix.hashCode(), made);
      made++;
      TestNode node =
          TestNode.h100(
              name, "aws:///us-east-2a/" + instance, "us-east-2", "us-east-2a", "p5.48xlarge");
      kubelet.add(kind.apply(node.with("topology.k8s.aws/zone-id", "use2-az1")));
      kinds.put(name, kind);
    }
  }

  /** Brings up so many of OCI's BM.GPU.H100.8. */
  public void addBareMetal(int count) throws IOException, InterruptedException {
    add(count, Machines::bareMetal);
  }

  /** One of them dies and its cloud brings another of its kind. */
  public synchronized boolean replaceOne(int draw) throws IOException, InterruptedException {
    return replace(List.copyOf(kinds.keySet()).get(draw % kinds.size()));
  }

  /** That one dies and its cloud brings another of its kind; false if it is gone already. */
  public synchronized boolean replace(String name) throws IOException, InterruptedException {
    if (!kinds.containsKey(name)) {
      return false;
    }
    kubelet.remove(name);
    add(1, kinds.remove(name));
    return true;
  }

  /** The machine under a pod is gone, and its node with it; answers its name. */
  synchronized String lose(JsonNode pod) throws IOException, InterruptedException {
    String name = pod.path("spec").path("nodeName").asText();
    kubelet.remove(name);
    kinds.remove(name);
    return name;
  }

  public synchronized void removeAll() throws IOException, InterruptedException {
    for (String name : kinds.keySet()) {
      kubelet.remove(name);
    }
    kinds.clear();
  }
}
