package io.spillway.agent.nodes;

import io.spillway.agent.kube.Reflector;
import io.spillway.agent.link.MessageParts;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.Nodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes as they are, and what of them changed since it was told. Kubelets write their nodes
 * every few minutes; only what the control plane would see differently is a change. Only from the
 * timeline.
 */
public final class Inventory implements Reflector.Sink<NodeFacts> {
  /** Pods outlive their node's object by a minute or two; nobody loses so many in that time. */
  private static final int DEPARTED = 10_000;

  private final Map<String, NodeFacts> nodes = new HashMap<>();
  private final Map<String, io.spillway.protocol.v1.Node> changed = new LinkedHashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private final Set<String> departed = new LinkedHashSet<>();
  private final Runnable onChange;
  private boolean loaded;

  /**
   * @param onChange something is to be told, or a node died or came back
   */
  public Inventory(Runnable onChange) {
    this.onChange = onChange;
  }

  public boolean loaded() {
    return loaded;
  }

  public int size() {
    return nodes.size();
  }

  @Override
  public void all(List<NodeFacts> facts) {
    Set<String> names = new TreeSet<>();
    facts.forEach(
        fact -> {
          names.add(fact.name());
          take(fact);
        });
    List.copyOf(nodes.values()).stream()
        .filter(known -> !names.contains(known.name()))
        .forEach(this::drop);
    loaded = true;
    onChange.run();
  }

  @Override
  public void seen(NodeFacts fact) {
    if (take(fact)) {
      onChange.run();
    }
  }

  @Override
  public void gone(NodeFacts last) {
    drop(last);
    onChange.run();
  }

  private boolean take(NodeFacts fact) {
    NodeFacts before = nodes.get(fact.name());
    NodeFacts now = before == null ? fact : fact.after(before);
    nodes.put(now.name(), now);
    departed.remove(now.name());
    if (now.equals(before)) {
      return false;
    }
    if (now.message().isPresent()) {
      boolean told = before != null && before.message().equals(now.message());
      if (!told) {
        changed.put(now.name(), now.message().get());
      }
      gone.remove(now.name());
    } else if (before != null && before.message().isPresent()) {
      changed.remove(now.name());
      gone.add(now.name());
    }
    return true;
  }

  private void drop(NodeFacts node) {
    NodeFacts before = nodes.remove(node.name());
    departed.add(node.name());
    if (departed.size() > DEPARTED) {
      departed.remove(departed.iterator().next());
    }
    if (before != null && before.message().isPresent()) {
      changed.remove(node.name());
      gone.add(node.name());
    }
  }

  /** The provider's id of the instance behind a node; empty if the node is not known. */
  public Optional<String> instance(String node) {
    return Optional.ofNullable(nodes.get(node))
        .map(NodeFacts::instance)
        .filter(id -> !id.isEmpty());
  }

  /** Whether the node is gone, or its kubelet does not answer. */
  public boolean lost(String node) {
    NodeFacts known = nodes.get(node);
    return loaded && (known == null || !known.alive());
  }

  /** Whether the node was there and its object was taken away: by its cloud, once it is gone. */
  public boolean departed(String node) {
    return departed.contains(node);
  }

  /**
   * All that there are, in as many messages as fit in frames of 4 MiB; the first begins anew, and
   * all but the last say that more follows: a node that is in none of them is gone. What changed
   * before is told with them.
   */
  public List<Nodes> everything() {
    changed.clear();
    gone.clear();
    List<io.spillway.protocol.v1.Node> told =
        nodes.values().stream().flatMap(node -> node.message().stream()).toList();
    List<Nodes> all = new ArrayList<>();
    Iterator<List<io.spillway.protocol.v1.Node>> parts = MessageParts.of(told).iterator();
    while (parts.hasNext()) {
      Nodes.Builder part = Nodes.newBuilder().setComplete(all.isEmpty()).addAllNodes(parts.next());
      all.add(part.setMore(parts.hasNext()).build());
    }
    return all;
  }

  /** What is to be told since the last time; in several messages if it is much. */
  public List<Nodes> changes() {
    if (changed.isEmpty() && gone.isEmpty()) {
      return List.of();
    }
    List<Nodes> told = new ArrayList<>();
    for (List<io.spillway.protocol.v1.Node> part : MessageParts.of(changed.values())) {
      told.add(Nodes.newBuilder().addAllNodes(part).addAllGone(gone).build());
      gone.clear();
    }
    changed.clear();
    return told;
  }

  /** The capabilities with the extended resources that any node has. */
  public Capabilities with(Capabilities read) {
    Set<String> resources = new TreeSet<>();
    nodes.values().forEach(node -> resources.addAll(node.resources()));
    return read.toBuilder().clearResources().addAllResources(resources).build();
  }
}
