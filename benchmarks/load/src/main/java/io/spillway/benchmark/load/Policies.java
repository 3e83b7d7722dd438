package io.spillway.benchmark.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the policy documents of a lab; every node has one GPU, so that GPUs are nodes. */
final class Policies {
  static final String GPU = "nvidia-h100-80gb";

  private static final String POOL_NODE = "p5.4xlarge";
  private static final String SPOT_NODE = "gpu-h100-sxm_1gpu-16vcpu-200gb";

  private final List<String> documents = new ArrayList<>();

  /** A cluster that has nothing but a pool of that many nodes; both carry the name. */
  Policies pool(String name, int nodes) {
    document("Cluster", name, "{provider: aws, account: load-aws, region: us-east-2}");
    document(
        "Pool",
        name,
        "{cluster: "
            + name
            + ", instanceType: "
            + POOL_NODE
            + ", zone: use2-az1, capacityType: reserved, nodes: "
            + nodes
            + ", pricePerNodeHour: 6.88, accounting: Sunk, launchDeadline: 2m}");
    return this;
  }

  /** A cluster that starts spot nodes. */
  Policies spot(String name, int maxNodes) {
    document(
        "Cluster",
        name,
        "{provider: nebius, account: load-nebius, region: eu-north1, capacity: [{instanceType: "
            + SPOT_NODE
            + ", capacityTypes: [spot], zones: [eu-north1], maxNodes: "
            + maxNodes
            + ", launchDeadline: 2m}]}");
    return this;
  }

  Policies priorityClass(String name, int value) {
    documents.add(header("PriorityClass", name) + "value: " + value + "\n");
    return this;
  }

  /**
   * A queue.
   *
   * @param ladder its rungs in YAML's flow style
   * @param classes the default first
   */
  Policies queue(String name, String ladder, List<String> classes) {
    document(
        "Queue",
        name,
        "{priorityClasses: {default: "
            + classes.getFirst()
            + ", allowed: ["
            + String.join(", ", classes)
            + "]}, placement: {ladder: ["
            + ladder
            + "]}, preemption: {withinQueue: Never}, retry: {backoff: 1s}}");
    return this;
  }

  /** A rung of pools. */
  static String pools(String... names) {
    return "{name: pools, pools: [" + String.join(", ", names) + "]}";
  }

  private void document(String kind, String name, String spec) {
    documents.add(header(kind, name) + "spec: " + spec + "\n");
  }

  private static String header(String kind, String name) {
    return "apiVersion: spillway.io/v1beta1\nkind: " + kind + "\nmetadata: {name: " + name + "}\n";
  }

  Path write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("load.yaml"), String.join("---\n", documents));
    return directory;
  }
}
