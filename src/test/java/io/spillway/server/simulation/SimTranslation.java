package io.spillway.server.simulation;

import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.Ability;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Grounds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What a cluster's gateway has words for: some jobs need an operator that comes and goes. What this
 * stream told is not refused by it; what another told before may be.
 */
final class SimTranslation {
  private final ClusterName cluster;
  private final RandomGenerator random;
  private final Set<AttemptId> told = new HashSet<>();
  private boolean operator;
  private boolean gpus;

  SimTranslation(ClusterName cluster, RandomGenerator random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** Another stream begins: nobody knows what the one before was told. */
  AgentInput begin() {
    told.clear();
    return said();
  }

  /** Now and then something of the cluster changes. */
  Optional<AgentInput> change() {
    if (random.nextInt(25) > 0) {
      return Optional.empty();
    }
    if (random.nextBoolean()) {
      operator = !operator;
    } else {
      gpus = !gpus;
    }
    return Optional.of(said());
  }

  /** Empty if the launch can be told, and then it is. */
  Optional<AgentInput> refusal(Attempt attempt, String policies) {
    boolean needsOperator = attempt.id().job().value().endsWith("3");
    if (!needsOperator || operator || told.contains(attempt.id())) {
      told.add(attempt.id());
      return Optional.empty();
    }
    return Optional.of(
        new AgentInput.TranslationRefused(
            cluster,
            attempt.id(),
            "MPI_OPERATOR_MISSING: none",
            new Grounds(policies, abilities().only(List.of(Ability.API_VERSIONS)))));
  }

  private AgentInput said() {
    return new AgentInput.AbilitiesReported(cluster, abilities());
  }

  private Abilities abilities() {
    return new Abilities(
        Map.of(
            Ability.API_VERSIONS, operator ? "with operator" : "plain",
            Ability.RESOURCES, gpus ? "some" : "none"));
  }
}
