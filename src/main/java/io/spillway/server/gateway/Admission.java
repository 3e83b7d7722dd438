package io.spillway.server.gateway;

import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.Refused;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.kubernetes.ClusterAbility;
import java.util.ArrayList;
import java.util.List;
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
      implements Admission {

    /** What the core is told of it. */
    List<Input> arrival(Capabilities said) {
      List<Input> inputs = new ArrayList<>();
      // Before anything else of this agent: from here on nothing is placed and nothing stopped.
      agentKnows.ifPresent(
          store ->
              inputs.add(
                  new AgentInput.NewerStoreReported(cluster, store.generation(), store.head())));
      inputs.add(new AgentInput.SessionOpened(cluster, generation, agentEpoch));
      able(cluster, said).ifPresent(inputs::add);
      return inputs;
    }
  }

  /**
   * For the core, which judges refusals of the translation by it; empty if nothing is translated.
   */
  static Optional<AgentInput.AbilitiesReported> able(ClusterName cluster, Capabilities said) {
    return said.getAppliesManifests()
        ? Optional.of(
            new AgentInput.AbilitiesReported(cluster, ClusterAbility.said(said).fingerprints()))
        : Optional.empty();
  }

  /** A store as an agent saw it last. */
  record KnownStore(String generation, long head) {}

  record TurnedAway(Refused.Why why, String detail) implements Admission {}
}
