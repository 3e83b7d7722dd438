package io.spillway.server.gateway;

import io.spillway.scheduler.model.ClusterName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The open streams of this replica, at most one a cluster: the one of the highest generation. */
final class Streams {
  private final ConcurrentMap<ClusterName, AgentStream> byCluster = new ConcurrentHashMap<>();

  /** Takes the place of an older stream, which is told; false if a newer one is here already. */
  boolean enter(AgentStream stream) {
    AgentStream[] older = new AgentStream[1];
    AgentStream now =
        byCluster.compute(
            stream.cluster(),
            (cluster, there) -> {
              if (there != null && there.generation() > stream.generation()) {
                return there;
              }
              older[0] = there;
              return stream;
            });
    if (older[0] != null && older[0] != stream) {
      older[0].supersede(stream.generation());
    }
    return now == stream;
  }

  void leave(AgentStream stream) {
    byCluster.remove(stream.cluster(), stream);
  }

  Optional<AgentStream> of(ClusterName cluster) {
    return Optional.ofNullable(byCluster.get(cluster));
  }

  /** A snapshot. */
  Collection<AgentStream> all() {
    return List.copyOf(byCluster.values());
  }

  int size() {
    return byCluster.size();
  }
}
