package io.spillway.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.memory.Past;
import io.spillway.agent.nodes.Inventory;
import io.spillway.agent.nodes.NodeFacts;
import io.spillway.agent.world.Members;
import io.spillway.agent.world.VirtualTimeline;
import io.spillway.protocol.v1.AgentMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What the agent keeps of a large cluster, in bytes. */
class FootprintTest {
  private static final Logger LOG = Logger.getLogger(FootprintTest.class.getName());
  private static final int NODES = 5_000;
  private static final int GANGS = 2_500;
  private static final int GANG = 8;

  @Test
  void five_thousand_nodes_and_twenty_thousand_pods_fit_in_a_fraction_of_256_megabytes() {
    VirtualTimeline time = new VirtualTimeline();
    Lanes lanes = new Lanes(time, () -> true, 1);
    long before = used();

    Inventory nodes = new Inventory(() -> {});
    List<NodeFacts> facts = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      facts.add(NodeFacts.of(node(i)));
    }
    nodes.all(facts);
    facts.clear();
    List<AgentMessage> told = new ArrayList<>();
    Attempts attempts =
        new Attempts(
            time,
            new Past(time, lanes, null, new Past.Kept(Map.of(), new TreeMap<>())),
            nodes,
            new Voice(message -> told.add(message.build())),
            new Hands(lanes, null));
    for (int gang = 0; gang < GANGS; gang++) {
      for (int rank = 0; rank < GANG; rank++) {
        PodFact.of(pod(gang, rank)).ifPresent(attempts::seen);
      }
    }
    long after = used();

    long megabytes = (after - before) >> 20;
    LOG.info(() -> NODES + " nodes and " + GANGS * GANG + " pods: " + megabytes + " MB");
    assertThat(attempts.pods()).hasSize(GANGS * GANG);
    assertThat(nodes.size()).isEqualTo(NODES);
    assertThat(nodes.everything())
        .allMatch(part -> part.getSerializedSize() < 4 << 20)
        .extracting(part -> part.getComplete() + " " + part.getMore())
        .containsExactly("true false");
    assertThat(nodes.everything().stream().mapToInt(part -> part.getNodesCount()).sum())
        .isEqualTo(NODES);
    assertThat(megabytes).isLessThan(80);
  }

  private static long used() {
    Runtime jvm = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      jvm.gc();
    }
    return jvm.totalMemory() - jvm.freeMemory();
  }

  private static Node node(int i) {
    NodeBuilder node =
        new NodeBuilder()
            .withNewMetadata()
            .withName("ip-10-" + i / 250 + "-" + i % 250 + "-7.us-east-2.compute.internal")
            .addToLabels("node.kubernetes.io/instance-type", "p5.48xlarge")
            .addToLabels("topology.k8s.aws/zone-id", "use2-az1")
            .addToLabels("karpenter.sh/capacity-type", "spot")
            .endMetadata()
            .withNewSpec()
            .withProviderID("aws:///us-east-2a/i-0" + String.format("%016x", i))
            .endSpec()
            .withNewStatus()
            .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
            .addToAllocatable("cpu", new Quantity("192"))
            .addToAllocatable("memory", new Quantity("2097152Mi"))
            .addToAllocatable("vpc.amazonaws.com/efa", new Quantity("32"))
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .endStatus();
    for (int label = 0; label < 60; label++) {
      node.editMetadata()
          .addToLabels("feature.node.kubernetes.io/cpu-cpuid.FEATURE" + label, "true")
          .endMetadata();
    }
    return node.build();
  }

  private static Pod pod(int gang, int rank) {
    String attempt = "01JD000000000000000000" + String.format("%04d", gang) + "-1";
    return Members.running(
            "sw-" + attempt.toLowerCase(java.util.Locale.ROOT) + "-" + rank + "-x2x9k",
            "spillway-research",
            attempt,
            rank,
            "ip-10-" + gang / 250 + "-" + gang % 250 + "-7.us-east-2.compute.internal")
        .editMetadata()
        .withUid(new java.util.UUID(gang, rank).toString())
        .endMetadata()
        .build();
  }
}
