package io.spillway.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What an agent needs to know before it starts.
 *
 * @param cluster the name under which the control plane knows the cluster
 * @param namespace where the agent keeps its Lease and its memory
 * @param identity this replica's name in the Lease
 * @param kubeconfig beside a cluster; empty inside one
 * @param healthPort the only port that is listened on; 0 picks a free one
 * @param gateFile what the agent lets in; empty: the strict defaults
 * @param unschedulableAfter how long a pod may wait for a node before that is told as a symptom
 */
public record AgentConfig(
    String cluster,
    Server server,
    Path tokenFile,
    String namespace,
    String identity,
    Optional<Path> kubeconfig,
    int healthPort,
    Optional<Path> gateFile,
    Duration unschedulableAfter) {

  /**
   * The control plane.
   *
   * @param caFile certificates to trust instead of the system's, PEM
   */
  public record Server(String host, int port, boolean tls, Optional<Path> caFile) {
    @Override
    public String toString() {
      return (tls ? "https://" : "http://") + host + ":" + port;
    }
  }
}
