package io.spillway.agent.attempt;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.Labels;
import io.spillway.agent.kube.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object of an attempt other than its pods, trimmed.
 *
 * @param epoch of the command that made it, by its label; 0 if that cannot be read
 * @param pods how many pods it has, by its annotation; 0 if that does not say
 * @param outcome by its conditions
 * @param why reason and message of the condition that ends it
 * @param deleting its deletion was asked for
 */
public record ObjectFact(
    ObjectRef ref,
    String uid,
    String attempt,
    Role role,
    long epoch,
    int pods,
    Outcome outcome,
    String why,
    boolean deleting) {

  /** What an object is to its attempt. */
  public enum Role {
    WORKLOAD,
    SUPPORT,
    HOLD,
    /** Of many attempts; never deleted. */
    SHARED;

    static Optional<Role> of(String label) {
      return switch (label) {
        case "workload" -> Optional.of(WORKLOAD);
        case "support" -> Optional.of(SUPPORT);
        case "hold" -> Optional.of(HOLD);
        case "shared" -> Optional.of(SHARED);
        default -> Optional.empty();
      };
    }
  }

  /** Where its conditions say it is. */
  public enum Outcome {
    OPEN,
    /** A ProvisioningRequest's nodes are there. */
    PROVISIONED,
    /** Its failure is decided, its pods are still stopping. */
    FAILING,
    COMPLETE,
    FAILED
  }

  /**
   * Empty for what an operator made of an attempt's object, and for what carries no such labels.
   */
  public static Optional<ObjectFact> of(GenericKubernetesResource object) {
    var meta = object.getMetadata();
    Map<String, String> labels = Optional.ofNullable(meta.getLabels()).orElse(Map.of());
    Optional<Kind> kind = Kind.of(object.getApiVersion(), object.getKind());
    Optional<Role> role = Role.of(labels.getOrDefault(Labels.ROLE, ""));
    boolean owned =
        Optional.ofNullable(meta.getOwnerReferences()).orElse(List.of()).stream()
            .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    boolean named = AttemptIds.isValid(labels.getOrDefault(Labels.ATTEMPT, ""));
    if (kind.isEmpty() || role.isEmpty() || owned || !named) {
      return Optional.empty();
    }
    List<Condition> conditions = conditions(object);
    Outcome outcome = outcome(kind.get(), conditions);
    return Optional.of(
        new ObjectFact(
            new ObjectRef(
                kind.get(),
                Optional.ofNullable(meta.getNamespace()).orElse("").intern(),
                meta.getName()),
            Optional.ofNullable(meta.getUid()).orElse(""),
            labels.get(Labels.ATTEMPT),
            role.get(),
            number(labels.get(Labels.EPOCH)),
            (int)
                number(
                    Optional.ofNullable(meta.getAnnotations()).orElse(Map.of()).get(Labels.PODS)),
            outcome,
            why(outcome, conditions),
            meta.getDeletionTimestamp() != null));
  }

  private record Condition(String type, String reason, String message) {}

  /** Those that are true. */
  private static List<Condition> conditions(GenericKubernetesResource object) {
    if (!(object.getAdditionalProperties().get("status") instanceof Map<?, ?> status)
        || !(status.get("conditions") instanceof List<?> list)) {
      return List.of();
    }
    return list.stream()
        .filter(Map.class::isInstance)
        .map(Map.class::cast)
        .filter(c -> "True".equals(c.get("status")))
        .map(c -> new Condition(text(c.get("type")), text(c.get("reason")), text(c.get("message"))))
        .toList();
  }

  private static Outcome outcome(Kind kind, List<Condition> conditions) {
    List<String> types = conditions.stream().map(Condition::type).toList();
    return switch (kind) {
      case PROVISIONING_REQUEST ->
          types.contains("Failed")
              ? Outcome.FAILED
              : types.contains("Provisioned") ? Outcome.PROVISIONED : Outcome.OPEN;
      default ->
          // Job: Complete, Failed, FailureTarget; JobSet: Completed, Failed; MPIJob: Succeeded,
          // Failed.
          types.contains("Complete") || types.contains("Completed") || types.contains("Succeeded")
              ? Outcome.COMPLETE
              : types.contains("Failed")
                  ? Outcome.FAILED
                  : types.contains("FailureTarget") ? Outcome.FAILING : Outcome.OPEN;
    };
  }

  private static String why(Outcome outcome, List<Condition> conditions) {
    return switch (outcome) {
      case FAILING, FAILED ->
          conditions.stream()
              .filter(c -> c.type().equals("Failed") || c.type().equals("FailureTarget"))
              .findFirst()
              .map(c -> c.reason() + ": " + c.message())
              .orElse("");
      default -> "";
    };
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString();
  }

  private static long number(String text) {
    return text != null && text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  boolean isTerminal() {
    return outcome == Outcome.COMPLETE || outcome == Outcome.FAILED;
  }
}
