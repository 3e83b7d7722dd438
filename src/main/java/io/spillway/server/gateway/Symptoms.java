package io.spillway.server.gateway;

import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureText;
import io.spillway.protocol.v1.Symptom;
import io.spillway.scheduler.input.AgentInput.SymptomReported;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.server.providers.UnknownRefusals;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Agents send symptoms raw; here the provider's classifier reads them. What was asked for is taken
 * from the symptom itself where it says so, else from the attempt's offering, so that a block lies
 * on what was really refused.
 */
final class Symptoms {
  private static final Duration OLDEST = Duration.ofHours(24);

  /** Event of the controllers of Job and its like about an object whose pods they cannot make. */
  private static final String NOT_MADE = "FailedCreate";

  private final ClusterFacts facts;
  private final Classifiers classifiers;
  private final UnknownRefusals unknown = new UnknownRefusals();

  Symptoms(ClusterFacts facts, Classifiers classifiers) {
    this.facts = facts;
    this.classifiers = classifiers;
  }

  SymptomReported of(
      ClusterName cluster, Symptom symptom, Function<AttemptId, Belonging> belongings, Instant now)
      throws RefusedMessageException {
    Optional<AttemptId> attempt = attempt(symptom, belongings);
    Optional<OfferingId> offering =
        attempt
            .map(belongings)
            .flatMap(
                b ->
                    b instanceof Belonging.Ours ours
                        ? Optional.of(ours.offering())
                        : Optional.empty());
    ClusterPolicy policy =
        facts
            .policy(cluster)
            .orElseThrow(
                () ->
                    new RefusedMessageException("no policy names the cluster: no provider known"));
    MarketKey key = key(policy, symptom, offering);
    FailureClassifier.Failure failure =
        new FailureClassifier.Failure(
            key,
            AgentText.clean(symptom.getReason(), 120),
            withoutNames(symptom),
            0,
            now.minus(age(symptom.getAgeMs())));
    if (failure.code().equals(NOT_MADE)) {
      return new SymptomReported(cluster, attempt, ofCluster(failure));
    }
    CapacityFailure classified = classifiers.of(policy.provider()).classify(failure);
    unknown.look(classified, FailureText.of(failure));
    return new SymptomReported(cluster, attempt, classified);
  }

  /**
   * The API server's own refusal to make a pod: a ResourceQuota, pod security, a webhook. It uses
   * providers' words ("exceeded quota") and says nothing of their machines: only this launch is
   * taken back.
   */
  private static CapacityFailure ofCluster(FailureClassifier.Failure failure) {
    return new CapacityFailure(
        FailureClass.INVALID,
        BlockScope.of(failure.key()),
        DefaultClassification.REQUEST,
        AgentText.clean(failure.code() + ": " + failure.message(), 200),
        failure.at());
  }

  /** A reported zone as the policies write it. */
  String zone(ClusterName cluster, String reported) {
    return facts.zone(cluster, reported);
  }

  private static Optional<AttemptId> attempt(
      Symptom symptom, Function<AttemptId, Belonging> belongings) throws RefusedMessageException {
    return symptom.getAttempt().isEmpty()
        ? Optional.empty()
        : Optional.of(AttemptIds.ours(symptom.getAttempt(), belongings));
  }

  private MarketKey key(ClusterPolicy policy, Symptom symptom, Optional<OfferingId> offering)
      throws RefusedMessageException {
    String zone = facts.zone(policy.name(), or(symptom.getZone(), offering.map(OfferingId::zone)));
    String type = or(symptom.getInstanceType(), offering.map(OfferingId::instanceType));
    String market =
        or(
            symptom.getCapacityType(),
            offering.map(OfferingId::capacityType).map(CapacityType::text));
    if (type.isEmpty() || market.isEmpty()) {
      throw new RefusedMessageException(
          "a symptom names an attempt of this cluster, or instance type and capacity type");
    }
    try {
      return new MarketKey(
          policy.provider(),
          policy.account(),
          policy.region(),
          zone.isEmpty() ? policy.region() : zone,
          type,
          CapacityType.parse(market),
          offering.flatMap(OfferingId::pool).flatMap(facts::reservation));
    } catch (IllegalArgumentException e) {
      throw new RefusedMessageException(AgentText.clean(e.getMessage(), AgentText.NAME));
    }
  }

  /** Names of objects and attempts are users' words: they say nothing of capacity. */
  private static String withoutNames(Symptom symptom) {
    String message = AgentText.clean(symptom.getMessage(), AgentText.MESSAGE);
    for (String name : new String[] {symptom.getObject(), symptom.getAttempt()}) {
      String last = name.substring(name.lastIndexOf('/') + 1);
      message = name.length() < 3 ? message : message.replace(name, " ");
      message = last.length() < 3 ? message : message.replace(last, " ");
    }
    return message;
  }

  private static Duration age(long millis) {
    Duration age = millis < 0 ? OLDEST : Duration.ofMillis(Math.min(millis, OLDEST.toMillis()));
    return age;
  }

  private static String or(String said, Optional<String> known) {
    String text = AgentText.clean(said, AgentText.NAME).strip();
    return text.isEmpty() ? known.orElse("") : text;
  }
}
