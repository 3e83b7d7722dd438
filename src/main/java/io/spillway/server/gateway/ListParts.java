package io.spillway.server.gateway;

import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Nodes;
import io.spillway.protocol.v1.Sweep;
import java.util.Optional;

/**
 * Lists that are larger than a frame come in several messages and count once they are whole: half a
 * list of nodes would say that the others are gone, and half a sweep the same of attempts. Belongs
 * to one stream; on another the agent begins them anew.
 */
final class ListParts {
  /** More nodes, or attempts, no cluster has; what goes on for longer is thrown away. */
  private static final int MOST = 200_000;

  private Optional<Nodes.Builder> nodes = Optional.empty();
  private Optional<Sweep.Builder> sweep = Optional.empty();

  /** The message, or the whole list that it is the last part of; empty while more is to come. */
  Optional<AgentMessage> whole(AgentMessage message) {
    return switch (message.getBodyCase()) {
      case NODES -> nodes(message);
      case SWEEP -> sweep(message);
      default -> Optional.of(message);
    };
  }

  private Optional<AgentMessage> nodes(AgentMessage message) {
    Nodes part = message.getNodes();
    if (part.getComplete()) {
      nodes = Optional.of(part.toBuilder());
    } else if (nodes.isPresent()) {
      nodes.get().addAllNodes(part.getNodesList()).addAllGone(part.getGoneList());
    } else {
      return Optional.of(message);
    }
    Nodes.Builder list = nodes.get();
    if (part.getMore() && list.getNodesCount() <= MOST) {
      return Optional.empty();
    }
    nodes = Optional.empty();
    return part.getMore()
        ? Optional.empty()
        : Optional.of(message.toBuilder().setNodes(list.setMore(false)).build());
  }

  private Optional<AgentMessage> sweep(AgentMessage message) {
    Sweep part = message.getSweep();
    Sweep.Builder list =
        sweep.map(begun -> begun.addAllPresent(part.getPresentList())).orElseGet(part::toBuilder);
    if (part.getMore() && list.getPresentCount() <= MOST) {
      sweep = Optional.of(list);
      return Optional.empty();
    }
    sweep = Optional.empty();
    return part.getMore()
        ? Optional.empty()
        : Optional.of(message.toBuilder().setSweep(list.setMore(false)).build());
  }
}
