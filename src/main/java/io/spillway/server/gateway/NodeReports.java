package io.spillway.server.gateway;

import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.MessageRefused;
import io.spillway.protocol.v1.Node;
import io.spillway.scheduler.input.AgentInput.NodesReported;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A cluster's nodes. One that cannot carry a GPU job is left out; the others count. */
final class NodeReports {
  private static final int MAX_SIGNS = 32;
  private static final int MAX_SIGN = 64;

  private NodeReports() {}

  /**
   * @param zones a reported zone as the policies write it
   */
  static NodesReported of(
      ClusterName cluster,
      AgentMessage message,
      UnaryOperator<String> zones,
      List<MessageRefused> refused) {
    List<ReportedNode> nodes = new ArrayList<>();
    int leftOut = 0;
    String why = "";
    for (Node node : message.getNodes().getNodesList()) {
      try {
        nodes.add(node(node, zones));
      } catch (RefusedMessageException e) {
        leftOut++;
        why = e.getMessage();
      }
    }
    if (leftOut > 0) {
      refused.add(
          MessageRefused.newBuilder()
              .setSeq(message.getSeq())
              .setDetail(leftOut + " nodes left out, the last because " + why)
              .build());
    }
    return new NodesReported(
        cluster,
        message.getNodes().getComplete(),
        nodes,
        message.getNodes().getGoneList().stream()
            .map(name -> AgentText.clean(name, AgentText.NAME))
            .toList());
  }

  private static ReportedNode node(Node node, UnaryOperator<String> zones)
      throws RefusedMessageException {
    String name = AgentText.clean(node.getName(), AgentText.NAME);
    if (name.isBlank()) {
      throw new RefusedMessageException("a node has no name");
    }
    GpuModel gpu =
        GpuModel.of(node.getGpu())
            .orElseThrow(
                () ->
                    new RefusedMessageException(
                        "node "
                            + name
                            + " has no known GPU model: '"
                            + AgentText.clean(node.getGpu(), MAX_SIGN)
                            + "'"));
    if (node.getGpus() < 1 || node.getCpus() < 0 || node.getMemoryGib() < 0) {
      throw new RefusedMessageException("node " + name + " has no GPU, or sizes out of range");
    }
    return new ReportedNode(
        name,
        AgentText.clean(node.getProviderId(), AgentText.NAME),
        zones.apply(AgentText.clean(node.getZone(), AgentText.NAME)),
        AgentText.clean(node.getInstanceType(), AgentText.NAME),
        capacityType(name, node.getCapacityType()),
        new NodeShape(gpu, node.getGpus(), node.getCpus(), node.getMemoryGib()),
        node.getFabricType().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Fabric(
                    AgentText.clean(node.getFabricType(), AgentText.NAME),
                    AgentText.clean(node.getFabricName(), AgentText.NAME))),
        node.getReady(),
        node.getHealthSignsList().stream()
            .limit(MAX_SIGNS)
            .map(sign -> AgentText.clean(sign, MAX_SIGN))
            .toList());
  }

  private static CapacityType capacityType(String node, String text)
      throws RefusedMessageException {
    try {
      return CapacityType.parse(text);
    } catch (IllegalArgumentException e) {
      throw new RefusedMessageException(
          "node " + node + ": " + AgentText.clean(e.getMessage(), AgentText.NAME));
    }
  }
}
