package io.spillway.agent.symptom;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Optional;

/**
 * An event, trimmed.
 *
 * @param version of the event itself: it is written again when the same happens again
 * @param kind of the object that it is about, with its namespace and name
 */
public record EventFact(
    String version, String kind, String namespace, String name, String reason, String message) {

  /**
   * Reasons that say something of capacity, and who writes them: cluster-autoscaler, GKE's,
   * Karpenter, CoreWeave, the controllers that make pods.
   */
  public static final List<String> REASONS =
      List.of(
          "TriggeredScaleUp",
          "NotTriggerScaleUp",
          "FailedScaleUp",
          "FailedToScaleUpGroup",
          "ScaleUpTimedOut",
          "Nominated",
          "InsufficientCapacityError",
          "CWInsufficientCapacity",
          "CWOverQuota",
          "FailedCreate");

  private static final int MAX_WORDS = 1_024;

  public static Optional<EventFact> of(Event event) {
    ObjectReference about = event.getInvolvedObject();
    if (about == null || about.getKind() == null || about.getName() == null) {
      return Optional.empty();
    }
    String message = Optional.ofNullable(event.getMessage()).orElse("");
    return Optional.of(
        new EventFact(
            event.getMetadata().getUid() + '@' + event.getMetadata().getResourceVersion(),
            about.getKind(),
            Optional.ofNullable(about.getNamespace()).orElse(""),
            about.getName(),
            Optional.ofNullable(event.getReason()).orElse(""),
            message.length() <= MAX_WORDS ? message : message.substring(0, MAX_WORDS)));
  }
}
