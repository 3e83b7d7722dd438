package io.spillway.verify.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Policies of many clusters that are alike: a pool each, all in the one rung of one queue. */
final class Policies {
  private static final String CLUSTER =
      """
      apiVersion: spillway.io/v1beta1
      kind: Cluster
      metadata: {name: NAME}
      spec:
        provider: oci
        account: oci-verify
        region: eu-frankfurt-1
        namespace: "NAME-{queue}"
      ---
      apiVersion: spillway.io/v1beta1
      kind: Pool
      metadata: {name: pool-NAME}
      spec:
        cluster: NAME
        instanceType: BM.GPU.H100.8
        zone: EU-FRANKFURT-1-AD-1
        capacityType: reserved
        reservationId: ocid1.capacityreservation.oc1.eu-frankfurt-1.NAME
        nodes: NODES
        pricePerNodeHour: 80.00
        accounting: Sunk
        launchDeadline: 120s
      ---
      """;

  private static final String QUEUE =
      """
      apiVersion: spillway.io/v1beta1
      kind: Queue
      metadata: {name: research}
      spec:
        priorityClasses: {default: normal, allowed: [low, normal, urgent]}
        limits: {maxPending: 50000, maxNodesPerJob: 8, submitRatePerSecond: 500}
        placement:
          ladder:
            - {name: reserved, pools: [POOLS]}
        preemption: {withinQueue: Never}
        retry: {userFailures: 1, infrastructureFailures: 1000, backoff: 1s}
        onClusterLost: Wait
      """;

  private Policies() {}

  static List<String> names(int clusters) {
    return IntStream.range(0, clusters).mapToObj(i -> "metal-" + i).toList();
  }

  /** Writes them, and answers the directory. */
  static Path write(int clusters, int nodes) throws IOException {
    String all =
        names(clusters).stream()
                .map(
                    name -> CLUSTER.replace("NAME", name).replace("NODES", Integer.toString(nodes)))
                .collect(Collectors.joining())
            + QUEUE.replace(
                "POOLS",
                names(clusters).stream()
                    .map(name -> "pool-" + name)
                    .collect(Collectors.joining(", ")));
    Path directory = Files.createTempDirectory("policies");
    Files.writeString(directory.resolve("all.yaml"), all);
    return directory;
  }
}
