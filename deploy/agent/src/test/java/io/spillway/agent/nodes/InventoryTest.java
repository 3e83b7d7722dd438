package io.spillway.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.spillway.protocol.v1.Node;
import io.spillway.protocol.v1.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is told of nodes, and in how many messages. */
class InventoryTest {
  private final Inventory inventory = new Inventory(() -> {});

  /** As kubelets write it: what the device plugin has, and what of it may be given out. */
  private static NodeFacts node(Optional<Integer> capacity, Optional<Integer> allocatable) {
    NodeBuilder node =
        new NodeBuilder()
            .withNewMetadata()
            .withName("gpu-1")
            .addToLabels("node.kubernetes.io/instance-type", "p5.48xlarge")
            .endMetadata()
            .withNewSpec()
            .withProviderID("aws:///us-east-2a/i-1")
            .endSpec()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .endStatus();
    capacity.ifPresent(
        n ->
            node.editStatus()
                .addToCapacity("nvidia.com/gpu", new Quantity(n.toString()))
                .endStatus());
    allocatable.ifPresent(
        n ->
            node.editStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity(n.toString()))
                .endStatus());
    return NodeFacts.of(node.build());
  }

  private Node told() {
    List<Nodes> changes = inventory.changes();
    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().getGoneList()).isEmpty();
    assertThat(changes.getFirst().getNodesList()).hasSize(1);
    return changes.getFirst().getNodes(0);
  }

  @Test
  void a_device_plugin_that_restarts_takes_no_node_away_and_no_gang_with_it() {
    inventory.all(List.of(node(Optional.of(8), Optional.of(8))));
    assertThat(told().getReady()).isTrue();

    inventory.seen(node(Optional.of(8), Optional.of(0)));
    Node restarting = told();
    assertThat(restarting.getReady()).isFalse();
    assertThat(restarting.getGpus()).isEqualTo(8);

    // After five minutes the kubelet forgets that there ever were any.
    inventory.seen(node(Optional.empty(), Optional.empty()));
    assertThat(inventory.changes()).isEmpty();
    assertThat(inventory.everything().getFirst().getNodesList()).containsExactly(restarting);

    inventory.seen(node(Optional.of(8), Optional.of(8)));
    assertThat(told().getReady()).isTrue();
  }

  @Test
  void an_agent_that_comes_while_a_device_plugin_restarts_knows_the_node() {
    inventory.all(List.of(node(Optional.of(8), Optional.of(0))));

    assertThat(inventory.everything().getFirst().getNodesList())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.getGpus()).isEqualTo(8);
              assertThat(node.getReady()).isFalse();
            });
  }

  @Test
  void the_nodes_of_a_large_cluster_come_in_messages_that_say_that_more_follows() {
    List<NodeFacts> facts = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      String id = "azure:///subscriptions/" + "s".repeat(200) + "/virtualMachines/" + i;
      Node node =
          Node.newBuilder().setName("gpu-" + i).setProviderId(id).setGpus(8).setReady(true).build();
      facts.add(new NodeFacts("gpu-" + i, id, Optional.of(node), Set.of(), true));
    }
    inventory.all(facts);

    for (List<Nodes> told : List.of(inventory.changes(), inventory.everything())) {
      assertThat(told).hasSizeGreaterThan(1);
      assertThat(told).allMatch(part -> part.getSerializedSize() < 3 << 20);
      assertThat(
              told.stream()
                  .flatMap(part -> part.getNodesList().stream())
                  .map(Node::getName)
                  .collect(Collectors.toSet()))
          .hasSize(12_000);
    }
    List<Nodes> all = inventory.everything();
    assertThat(all.getFirst().getComplete()).isTrue();
    assertThat(all.subList(1, all.size())).noneMatch(Nodes::getComplete);
    assertThat(all.subList(0, all.size() - 1)).allMatch(Nodes::getMore);
    assertThat(all.getLast().getMore()).isFalse();
  }
}
