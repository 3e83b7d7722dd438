package io.spillway.server.gateway;

import io.spillway.protocol.v1.Refused;
import io.spillway.scheduler.model.ClusterName;
import java.util.Optional;

/** What becomes of a greeting. */
sealed interface Admission {

  /**
   * The session is this stream's.
   *
   * @param generation higher than any before of the cluster
   * @param tokenHash the token's, to notice that it was revoked
   * @param storeGeneration this store's
   * @param storeHead this store's head now, not what this replica has seen of it
   * @param agentKnows the store that the agent knows, if that is another one or a later head of
   *     this one
   */
  record Admitted(
      ClusterName cluster,
      long generation,
      long agentEpoch,
      String tokenHash,
      String storeGeneration,
      long storeHead,
      Optional<KnownStore> agentKnows)
      implements Admission {}

  /** A store as an agent saw it last. */
  record KnownStore(String generation, long head) {}

  record TurnedAway(Refused.Why why, String detail) implements Admission {}
}
