package io.spillway.agent.symptom;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.spillway.agent.attempt.Attempts;
import io.spillway.agent.attempt.ObjectFact;
import io.spillway.agent.attempt.PodFact;
import io.spillway.agent.attempt.Voice;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.kube.Reflector;
import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Symptom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Logger;

/** From events and waiting pods to symptoms. Only from the timeline. */
public final class Symptoms {
  private static final Logger LOG = Logger.getLogger(Symptoms.class.getName());

  /** Autoscalers repeat themselves; the same word of the same thing is news after this. */
  private static final Duration SAME = Duration.ofMinutes(5);

  private static final int KEPT = 5_000;
  private static final ResourceDefinitionContext NODE_POOL =
      new ResourceDefinitionContext.Builder()
          .withGroup("compute.coreweave.com")
          .withVersion("v1alpha1")
          .withKind("NodePool")
          .withPlural("nodepools")
          .withNamespaced(false)
          .build();

  private final Timeline timeline;
  private final KubernetesClient client;
  private final Lanes lanes;
  private final Attempts attempts;
  private final Consumer<AgentMessage.Builder> link;
  private final Duration unschedulableAfter;
  // Which attempt Karpenter makes a machine for.
  private final Map<String, String> nominated = bounded();
  private final Map<String, Long> told = bounded();
  // Of each waiting attempt: since when, and whether a machine is on its way.
  private final Map<String, Long> waiting = new HashMap<>();
  private final Set<String> coming = new LinkedHashSet<>();
  private final Set<String> seen = Collections.newSetFromMap(bounded());

  public Symptoms(
      Timeline timeline,
      KubernetesClient client,
      Lanes lanes,
      Attempts attempts,
      Consumer<AgentMessage.Builder> link,
      Duration unschedulableAfter) {
    this.timeline = timeline;
    this.client = client;
    this.lanes = lanes;
    this.attempts = attempts;
    this.link = link;
    this.unschedulableAfter = unschedulableAfter;
    attempts.onObject(this::object);
  }

  private static <V> Map<String, V> bounded() {
    return new LinkedHashMap<>(64, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > KEPT;
      }
    };
  }

  /** What a reflector of the events of one reason tells. */
  public Reflector.Sink<EventFact> of(String reason) {
    return new Reflector.Sink<>() {
      private boolean listed;

      /** What happened before this agent came is not told: it was, or is long over. */
      @Override
      public void all(List<EventFact> facts) {
        for (EventFact fact : facts) {
          if (reason.equals("Nominated")) {
            nominate(fact);
          } else if (seen.add(fact.version()) && listed) {
            tell(fact);
          }
        }
        listed = true;
      }

      @Override
      public void seen(EventFact fact) {
        if (seen.add(fact.version())) {
          tell(fact);
        }
      }

      @Override
      public void gone(EventFact last) {
        // Kubernetes forgets events after an hour.
      }
    };
  }

  private void tell(EventFact event) {
    Optional<String> attempt = attempts.attemptOf(event.namespace(), event.name());
    switch (event.reason()) {
      case "Nominated" -> nominate(event);
      case "TriggeredScaleUp" -> attempt.ifPresent(coming::add);
      case "NotTriggerScaleUp" -> attempt.ifPresent(a -> notTriggered(event, a));
      case "FailedScaleUp" -> attempt.ifPresent(a -> say(of(event).setAttempt(a)));
      case "FailedCreate" ->
          attempts
              .attemptOfObject(event.namespace(), event.name())
              .ifPresent(a -> say(of(event).setAttempt(a)));
      case "InsufficientCapacityError" -> {
        Optional<String> waits = Optional.ofNullable(nominated.get(event.name())).or(this::onlyOne);
        waits.ifPresent(coming::remove);
        waits.ifPresentOrElse(a -> say(of(event).setAttempt(a)), () -> unconnected(event));
      }
      case "FailedToScaleUpGroup", "ScaleUpTimedOut" ->
          onlyOne().ifPresentOrElse(a -> say(of(event).setAttempt(a)), () -> unconnected(event));
      case "CWInsufficientCapacity", "CWOverQuota" -> nodePool(event);
      default -> {}
    }
  }

  private static void unconnected(EventFact event) {
    LOG.info(() -> event.reason() + " of " + event.name() + " fits no waiting attempt alone");
  }

  /** {@code Pod should schedule on: nodeclaim/default-x2x9k, node/ip-10-0-0-1}. */
  private void nominate(EventFact event) {
    int start = event.message().indexOf("nodeclaim/");
    attempts
        .attemptOf(event.namespace(), event.name())
        .filter(attempt -> start >= 0)
        .ifPresent(
            attempt -> {
              String rest = event.message().substring(start + "nodeclaim/".length());
              nominated.put(rest.split("[,\\s]", 2)[0], attempt);
              coming.add(attempt);
            });
  }

  private void notTriggered(EventFact event, String attempt) {
    say(of(event).setAttempt(attempt));
    if (event.message().contains("in backoff")) {
      lanes.call(
          "backoffs",
          () -> Backoffs.ask(client),
          groups -> groups.stream().limit(3).forEach(group -> backoff(attempt, group)));
    }
  }

  private void backoff(String attempt, Backoffs.Backoff group) {
    say(
        Symptom.newBuilder()
            .setKind("NodeGroup")
            .setReason(group.code())
            .setMessage(group.message())
            .setObject(group.group())
            .setAttempt(attempt));
  }

  /** The pool says what machine it lacks; its events do not. */
  private void nodePool(EventFact event) {
    lanes.call(
        "nodepool",
        () -> instanceType(event.name()),
        type -> {
          if (type.isPresent()) {
            say(of(event).setInstanceType(type.get()).setCapacityType("on-demand"));
          } else {
            unconnected(event);
          }
        });
  }

  private Optional<String> instanceType(String pool) throws ClusterAwayException {
    try {
      GenericKubernetesResource found =
          client.genericKubernetesResources(NODE_POOL).withName(pool).get();
      return Optional.ofNullable(found)
          .map(f -> f.<Object>get("spec", "instanceType"))
          .map(Object::toString);
    } catch (KubernetesClientException e) {
      if (e.getCode() == 403) {
        return Optional.empty();
      }
      throw new ClusterAwayException("NodePool " + pool, e);
    }
  }

  private void object(ObjectFact fact) {
    boolean failed =
        fact.ref().kind() == Kind.PROVISIONING_REQUEST
            && fact.outcome() == ObjectFact.Outcome.FAILED;
    if (failed) {
      say(
          Symptom.newBuilder()
              .setKind("ProvisioningRequest")
              .setReason(fact.why().split(":", 2)[0])
              .setMessage(fact.why())
              .setObject(fact.ref().name())
              .setAttempt(fact.attempt()));
    }
  }

  /** If a single attempt waits for nodes, what is said of nodes is said of it. */
  private Optional<String> onlyOne() {
    return waiting.size() == 1 ? waiting.keySet().stream().findFirst() : Optional.empty();
  }

  /** Looks at the pods that wait for a node. To be called every few seconds. */
  public void look() {
    Map<String, PodFact> now = new LinkedHashMap<>();
    for (PodFact pod : attempts.pods()) {
      if (pod.node().isEmpty() && pod.unschedulable().isPresent() && !pod.deleting()) {
        now.putIfAbsent(pod.attempt(), pod);
      }
    }
    waiting.keySet().retainAll(now.keySet());
    coming.retainAll(now.keySet());
    List<String> late = new ArrayList<>();
    now.forEach(
        (attempt, pod) -> {
          long since = waiting.computeIfAbsent(attempt, a -> timeline.millis());
          boolean tooLong = timeline.millis() - since > unschedulableAfter.toMillis();
          // A machine that was ordered may take half an hour; whoever placed the job knows how
          // long.
          if (tooLong && !coming.contains(attempt)) {
            late.add(attempt);
          }
        });
    for (String attempt : late) {
      PodFact pod = now.get(attempt);
      say(
          Symptom.newBuilder()
              .setKind("Pod")
              .setReason("FailedScheduling")
              .setMessage(pod.unschedulable().orElse(""))
              .setObject(pod.namespace() + "/" + pod.name())
              .setAttempt(attempt)
              .setAgeMs(0));
    }
  }

  private static Symptom.Builder of(EventFact event) {
    String object =
        event.namespace().isEmpty() ? event.name() : event.namespace() + "/" + event.name();
    return Symptom.newBuilder()
        .setKind(event.kind())
        .setReason(event.reason())
        .setMessage(Voice.shortened(event.message()))
        .setObject(object);
  }

  private void say(Symptom.Builder symptom) {
    String what =
        symptom.getReason() + '|' + symptom.getAttempt() + '|' + symptom.getInstanceType();
    long now = timeline.millis();
    Long last = told.get(what);
    if (last != null && now - last < SAME.toMillis()) {
      return;
    }
    told.put(what, now);
    link.accept(
        AgentMessage.newBuilder()
            .setSymptom(symptom.setMessage(Voice.shortened(symptom.getMessage()))));
  }
}
