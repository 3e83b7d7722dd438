package io.spillway.agent.attempt;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.spillway.agent.kube.Labels;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A pod of an attempt, trimmed to what an attempt's phase and end are read from.
 *
 * @param rank its place in the gang; 0 for one that has none
 * @param node empty while no node is found for it
 * @param phase as Kubernetes says it: Pending, Running, Succeeded, Failed, Unknown
 * @param deleting its deletion was asked for
 * @param graceSeconds what its containers get to end in, once it is being deleted
 * @param exit of the container that counts, once it ended
 * @param disruption why Kubernetes took it away, if it did
 * @param started when the container that counts began to run, by its node's clock
 * @param unschedulable why no node is found for it
 * @param progress the job's own JSON in the pod's annotation, if somebody writes it there
 */
public record PodFact(
    String namespace,
    String name,
    String uid,
    String attempt,
    Part part,
    int rank,
    String node,
    String phase,
    boolean deleting,
    long graceSeconds,
    Optional<Exit> exit,
    Optional<Disruption> disruption,
    Optional<Instant> started,
    Optional<String> unschedulable,
    Optional<String> progress) {
  private static final String MAIN = "main";
  private static final String PROGRESS = "spillway.io/progress";
  private static final int MAX_WORDS = 1_024;
  private static final int MAX_PROGRESS = 4_096;

  /** What a pod is to its attempt. */
  public enum Part {
    MEMBER,
    LAUNCHER,
    WORKER,
    PLACEHOLDER;

    static Part of(String label) {
      return switch (label) {
        case "launcher" -> LAUNCHER;
        case "worker" -> WORKER;
        case "placeholder" -> PLACEHOLDER;
        default -> MEMBER;
      };
    }
  }

  /**
   * How the container that counts ended.
   *
   * @param at by its node's clock
   */
  public record Exit(int code, String reason, String message, Optional<Instant> at) {}

  /** The condition DisruptionTarget. */
  public record Disruption(String reason, String message, Optional<Instant> at) {}

  /** Empty for a pod without an attempt's label, or with one that somebody made up. */
  public static Optional<PodFact> of(Pod pod) {
    Map<String, String> labels =
        Optional.ofNullable(pod.getMetadata().getLabels()).orElse(Map.of());
    String attempt = labels.get(Labels.ATTEMPT);
    if (attempt == null || !AttemptIds.isValid(attempt)) {
      return Optional.empty();
    }
    PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(PodStatus::new);
    List<PodCondition> conditions = Optional.ofNullable(status.getConditions()).orElse(List.of());
    Optional<ContainerState> main =
        Optional.ofNullable(status.getContainerStatuses()).orElse(List.of()).stream()
            .filter(container -> counts(container, status.getContainerStatuses().size()))
            .map(ContainerStatus::getState)
            .filter(state -> state != null)
            .findFirst();
    Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
    return Optional.of(
        new PodFact(
            pod.getMetadata().getNamespace().intern(),
            pod.getMetadata().getName(),
            pod.getMetadata().getUid(),
            attempt,
            Part.of(labels.getOrDefault(Labels.PART, "member")),
            rank(labels),
            node(pod),
            Optional.ofNullable(status.getPhase()).orElse("Pending").intern(),
            pod.getMetadata().getDeletionTimestamp() != null,
            grace == null ? 0 : grace,
            main.map(ContainerState::getTerminated).map(t -> exit(t, status)),
            disruption(conditions),
            started(main),
            unschedulable(conditions),
            Optional.ofNullable(pod.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(PROGRESS))
                .flatMap(PodFact::progressIn)));
  }

  /** The text, if it may be a progress.json: an object of at most 4 KB. */
  static Optional<String> progressIn(String text) {
    String json = text.strip();
    boolean fits = json.length() <= MAX_PROGRESS && json.startsWith("{") && json.endsWith("}");
    return fits ? Optional.of(json) : Optional.empty();
  }

  private static boolean counts(ContainerStatus container, int containers) {
    return containers == 1 || MAIN.equals(container.getName());
  }

  private static String node(Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return node == null ? "" : node.intern();
  }

  private static int rank(Map<String, String> labels) {
    return Stream.of(Labels.JOB_INDEX, Labels.REPLICA_INDEX)
        .map(labels::get)
        .filter(index -> index != null && index.matches("\\d{1,6}"))
        .map(Integer::valueOf)
        .findFirst()
        .orElse(0);
  }

  private static Exit exit(ContainerStateTerminated ended, PodStatus status) {
    String message = Optional.ofNullable(ended.getMessage()).orElse("");
    // The kubelet's own word, for example of an eviction, stands at the pod.
    String own = Optional.ofNullable(status.getReason()).orElse("");
    return new Exit(
        ended.getExitCode() == null ? 0 : ended.getExitCode(),
        own.isEmpty() ? Optional.ofNullable(ended.getReason()).orElse("") : own,
        shortened(message),
        instant(ended.getFinishedAt()));
  }

  private static Optional<Disruption> disruption(List<PodCondition> conditions) {
    return conditions.stream()
        .filter(c -> "DisruptionTarget".equals(c.getType()) && "True".equals(c.getStatus()))
        .findFirst()
        .map(
            c ->
                new Disruption(
                    Optional.ofNullable(c.getReason()).orElse("").intern(),
                    shortened(Optional.ofNullable(c.getMessage()).orElse("")),
                    instant(c.getLastTransitionTime())));
  }

  private static Optional<Instant> started(Optional<ContainerState> main) {
    return main.flatMap(
        state ->
            state.getRunning() != null
                ? instant(state.getRunning().getStartedAt())
                : state.getTerminated() != null
                    ? instant(state.getTerminated().getStartedAt())
                    : Optional.empty());
  }

  private static Optional<String> unschedulable(List<PodCondition> conditions) {
    return conditions.stream()
        .filter(c -> "PodScheduled".equals(c.getType()) && "False".equals(c.getStatus()))
        .filter(c -> "Unschedulable".equals(c.getReason()))
        .findFirst()
        .map(c -> shortened(Optional.ofNullable(c.getMessage()).orElse("")));
  }

  private static String shortened(String text) {
    return text.length() <= MAX_WORDS ? text : text.substring(0, MAX_WORDS);
  }

  private static Optional<Instant> instant(String text) {
    try {
      return text == null || text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Its containers run, or have run and ended. */
  public boolean hasRun() {
    return phase.equals("Running") || phase.equals("Succeeded") || phase.equals("Failed");
  }

  boolean runs() {
    return phase.equals("Running") && exit.isEmpty();
  }

  /** No container of it runs or will. */
  boolean isOver() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }
}
