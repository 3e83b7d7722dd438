package io.spillway.server.gateway;

import io.spillway.policies.compute.ClusterCompute;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Grounds;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.server.jobs.JobSpecReader;
import io.spillway.server.kubernetes.ClusterAbility;
import io.spillway.server.kubernetes.ManifestTranslation;
import io.spillway.server.kubernetes.Placement;
import io.spillway.server.kubernetes.RefusalCode;
import io.spillway.server.kubernetes.Translated;
import io.spillway.server.policy.ClusterDocuments;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the objects that go with a start or a hold, for agents that apply them. {@link #prepare}
 * must have completed before; then it answers at once, from any thread.
 */
final class ManifestSource {
  private final ClusterFacts facts;
  private final ClusterDocuments documents;
  private final Function<ClusterName, Optional<Capabilities>> said;
  private volatile Prepared prepared = new Prepared(PolicySet.EMPTY, Map.of());

  /** One set of policies, in both its parts. */
  private record Prepared(PolicySet policies, Map<ClusterName, ClusterCompute> clusters) {}

  /**
   * @param said what the agent that is connected now says of its cluster
   */
  ManifestSource(
      ClusterFacts facts,
      ClusterDocuments documents,
      Function<ClusterName, Optional<Capabilities>> said) {
    this.facts = facts;
    this.documents = documents;
    this.said = said;
  }

  /** What is asked for. */
  enum Purpose {
    START,
    HOLD
  }

  /**
   * @param earlier clusters in which the job ran before
   */
  record Wanted(
      AttemptId attempt, OfferingId offering, String spec, Collection<ClusterName> earlier) {}

  /** What became of it. */
  sealed interface Answer {

    /** The objects, each as JSON, in the order of their application. */
    record Objects(List<String> json) implements Answer {}

    /**
     * There are none.
     *
     * @param grounds what has to change before it is worth asking again
     */
    record Unsayable(String why, Grounds grounds) implements Answer {}
  }

  /** Brings the documents of the policies in force to hand, if any of these clusters wants them. */
  Future<Void> prepare(Collection<ClusterName> connected) {
    if (connected.stream().noneMatch(this::applies)) {
      return Future.succeededFuture();
    }
    PolicySet policies = facts.policies();
    return Future.fromCompletionStage(documents.of(policies))
        .map(
            clusters -> {
              prepared = new Prepared(policies, clusters);
              return null;
            });
  }

  /** Empty for an agent that applies none. */
  Optional<Answer> of(Purpose purpose, Wanted wanted) {
    ClusterName cluster = wanted.offering().cluster();
    Optional<Capabilities> able = said.apply(cluster).filter(Capabilities::getAppliesManifests);
    if (able.isEmpty()) {
      return Optional.empty();
    }
    Prepared now = prepared;
    ClusterAbility ability = ClusterAbility.said(able.get());
    return Optional.of(
        switch (translated(purpose, wanted, now, ability)) {
          case Translated.Manifests made -> new Answer.Objects(made.objects());
          case Translated.Refused refused ->
              new Answer.Unsayable(
                  refused.text(),
                  new Grounds(
                      now.policies().version(),
                      ability.fingerprints().only(refused.code().restsOn().stream().toList())));
        });
  }

  private Translated translated(
      Purpose purpose, Wanted wanted, Prepared now, ClusterAbility ability) {
    ClusterName cluster = wanted.offering().cluster();
    ClusterCompute compute = now.clusters().get(cluster);
    if (!now.policies().clusters().containsKey(cluster) || compute == null) {
      return new Translated.Refused(
          RefusalCode.NO_POLICY, "no readable policy in force names the cluster " + cluster);
    }
    Placement placement =
        new Placement(
            wanted.attempt(),
            JobSpecReader.stored(wanted.spec()),
            wanted.offering(),
            facts.shape(wanted.offering().instanceType()),
            Placement.Site.of(now.policies(), wanted.offering(), compute, ability),
            facts.sick(cluster),
            wanted.earlier().stream()
                .sorted()
                .flatMap(name -> Optional.ofNullable(now.clusters().get(name)).stream())
                .toList());
    return switch (purpose) {
      case START -> ManifestTranslation.start(placement);
      case HOLD -> ManifestTranslation.hold(placement);
    };
  }

  private boolean applies(ClusterName cluster) {
    return said.apply(cluster).map(Capabilities::getAppliesManifests).orElse(false);
  }
}
