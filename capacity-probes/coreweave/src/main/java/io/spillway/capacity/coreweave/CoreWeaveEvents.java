package io.spillway.capacity.coreweave;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventEnvelope;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes of a CKS cluster's nodes and node pools, as a watch tells them: {@code {"type":
 * "MODIFIED", "object": …}}, with what a watch does not know beside it, {@code account} (or {@code
 * clusterName}, as exporters of Kubernetes events write it) and {@code region}. CoreWeave cordons a
 * node of spot capacity, labels it, and drains it when a window ends that is at most seven minutes
 * long (CoreWeave documentation).
 */
final class CoreWeaveEvents implements EventNormalizer {
  private static final String POOLS = "compute.coreweave.com/";
  private static final String REGION_LABEL = "topology.kubernetes.io/region";
  private static final String TYPE_LABEL = "node.kubernetes.io/instance-type";

  private final FailureClassifier classifier;
  private final Duration window;

  CoreWeaveEvents(FailureClassifier classifier, Facts facts) {
    this.classifier = classifier;
    this.window = facts.notice(Facts.SPOT_NOTICE);
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    try {
      JsonNode event = EventEnvelope.unwrap(json);
      JsonNode object = event.path("object").isObject() ? event.path("object") : event;
      return isOurs(object) ? read(new Change(event, object, accounts, receivedAt)) : new NotMine();
    } catch (EventEnvelope.UnreadableException | MalformedException e) {
      return new Malformed(e.getMessage());
    } catch (DateTimeException e) {
      return new Malformed("field 'time' is no time");
    }
  }

  private static boolean isOurs(JsonNode object) {
    JsonNode labels = object.path("metadata").path("labels");
    return switch (object.path("kind").asText()) {
      case "NodePool" -> object.path("apiVersion").asText().startsWith(POOLS);
      case "Node" ->
          labels.has(PoolNode.POOL_LABEL)
              || labels.has(PoolNode.PENDING_PREEMPTION)
              || labels.has("node.coreweave.cloud/state");
      case "Event" ->
          object.path("reason").asText().startsWith("CW")
              || object.path("involvedObject").path("apiVersion").asText().startsWith(POOLS);
      // Exporters leave the kind of an event out.
      default ->
          object.path("involvedObject").isObject()
              && object.path("reason").asText().startsWith("CW");
    };
  }

  private Normalized read(Change change) {
    return switch (change.object().path("kind").asText()) {
      case "Node" -> node(change);
      case "NodePool" -> pool(change);
      default -> event(change);
    };
  }

  private Normalized node(Change change) {
    JsonNode labels = change.object().path("metadata").path("labels");
    if (change.isDeletion()) {
      return notice(change, Kind.LOSS, "gone", change.time());
    }
    return labels.path(PoolNode.PENDING_PREEMPTION).asText().equals("true")
        ? notice(change, Kind.INTERRUPTION, "pending-preemption", change.time().plus(window))
        : new Irrelevant("Node");
  }

  /** The node's uid names the notice: a watch tells the same label at every change of the node. */
  private static Normalized notice(Change change, Kind kind, String what, Instant deadline) {
    JsonView metadata = change.view().object("metadata");
    List<String> instances = new ArrayList<>();
    String providerId = change.object().path("spec").path("providerID").asText();
    if (!providerId.isEmpty()) {
      instances.add(providerId);
    }
    instances.add(metadata.text("name"));
    return new Notices(
        List.of(
            new CapacityNotice(
                "coreweave:" + metadata.text("uid") + ':' + what,
                "coreweave",
                change.account(),
                change.region(),
                kind,
                instances,
                Optional.empty(),
                change.time(),
                Optional.of(deadline))));
  }

  private Normalized pool(Change change) {
    NodePool pool = NodePool.of(change.view());
    return pool.refusal().isEmpty() || change.isDeletion()
        ? new Irrelevant("NodePool")
        : refused(
            change,
            pool.refusal().get(),
            "",
            pool.instanceType(),
            pool.spot() ? CapacityType.SPOT : CapacityType.ON_DEMAND);
  }

  /** An event names its pool; what that pool is made of must be told beside it. */
  private Normalized event(Change change) {
    String reason = change.view().text("reason");
    if (!reason.equals("CWInsufficientCapacity") && !reason.equals("CWOverQuota")) {
      return new Irrelevant(reason);
    }
    JsonNode labels = change.object().path("involvedObject").path("labels");
    String type = change.said("instanceType").orElseGet(() -> labels.path(TYPE_LABEL).asText());
    if (type.isEmpty()) {
      return new Malformed(reason + " without 'instanceType'");
    }
    boolean spot = change.said("computeClass").orElse("").equalsIgnoreCase("spot");
    return refused(
        change,
        reason,
        change.object().path("message").asText(),
        type,
        spot ? CapacityType.SPOT : CapacityType.ON_DEMAND);
  }

  private Normalized refused(
      Change change, String code, String message, String instanceType, CapacityType market) {
    MarketKey key =
        new MarketKey(
            "coreweave",
            change.account(),
            change.region(),
            change.said("zone").orElse(change.region()),
            instanceType,
            market,
            Optional.empty());
    return new Failures(
        List.of(classifier.classify(new Failure(key, code, message, 0, change.time()))));
  }

  /**
   * A change of an object.
   *
   * @param event the object with what is told beside it, or the object alone
   */
  private record Change(
      JsonNode event, JsonNode object, AccountNames accounts, Instant receivedAt) {

    JsonView view() {
      return JsonView.of(object);
    }

    boolean isDeletion() {
      return event.path("type").asText().equals("DELETED") && event.path("object").isObject();
    }

    Optional<String> said(String field) {
      return Optional.of(event.path(field).asText()).filter(text -> !text.isEmpty());
    }

    String account() {
      String id =
          said("account")
              .or(() -> said("clusterName"))
              .orElseThrow(() -> new MalformedException("field 'account' is missing"));
      return accounts.nameOf("coreweave", id).orElse(id);
    }

    String region() {
      String label = object.path("metadata").path("labels").path(REGION_LABEL).asText();
      return said("region")
          .or(() -> Optional.of(label).filter(text -> !text.isEmpty()))
          .orElseThrow(() -> new MalformedException("field 'region' is missing"));
    }

    /** When it was told; a notice is never from the future. */
    Instant time() {
      Instant told =
          said("time")
              .or(() -> said("lastTimestamp"))
              .map(text -> OffsetDateTime.parse(text).toInstant())
              .orElse(receivedAt);
      return told.isAfter(receivedAt) ? receivedAt : told;
    }
  }
}
