package io.spillway.capacity.simulated.cloud;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * What providers tell, in their own shapes: EC2 through EventBridge, OCI through its Events
 * service. The others push nothing; for them an in-cluster forwarder's CloudEvents stand in, in
 * Spillway's own shape.
 */
final class ProviderEvents {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EventSink sink;
  private final RandomGenerator random;

  ProviderEvents(EventSink sink, RandomGenerator random) {
    this.sink = sink;
    this.random = random;
  }

  /** The shortest lead time that the provider promises; zero = it takes without a word. */
  static Duration leadTime(String provider) {
    return switch (provider) {
      case "aws", "oci" -> Duration.ofMinutes(2);
      case "coreweave" -> Duration.ofMinutes(7);
      case "nebius" -> Duration.ofMinutes(1);
      case "gcp" -> Duration.ofSeconds(30);
      default -> Duration.ZERO;
    };
  }

  /** The instance will be taken at the deadline. */
  void interruption(Instance instance, Instant now, Instant deadline) {
    String json =
        switch (instance.line().provider()) {
          case "aws" ->
              ec2(
                  instance,
                  now,
                  "EC2 Spot Instance Interruption Warning",
                  detail -> detail.put("instance-action", "terminate"));
          case "oci" -> oci(instance, now, "instancepreemptionaction", "preemptionAction");
          default -> cloudEvent(instance, now, "interruption", deadline);
        };
    sink.send(EventSink.NOTICES, instance.id(), json);
  }

  /** It may be taken soon. Only EC2 says so. */
  void risk(Instance instance, Instant now) {
    if (instance.line().provider().equals("aws")) {
      sink.send(
          EventSink.NOTICES,
          instance.id(),
          ec2(instance, now, "EC2 Instance Rebalance Recommendation", detail -> {}));
    }
  }

  /** The instance is gone. */
  void gone(Instance instance, Instant now) {
    String json =
        switch (instance.line().provider()) {
          case "aws" ->
              ec2(
                  instance,
                  now,
                  "EC2 Instance State-change Notification",
                  detail -> detail.put("state", "terminated"));
          case "oci" -> oci(instance, now, "terminateinstance.end", "workRequestId");
          default -> cloudEvent(instance, now, "loss", now);
        };
    sink.send(EventSink.EVENTS, instance.id(), json);
  }

  /**
   * A refused launch, as CloudTrail logs it minutes later; other providers log nothing of the kind.
   */
  void refused(Line line, String accountId, Refusal refusal, Instant at) {
    if (!line.provider().equals("aws")) {
      return;
    }
    ObjectNode event =
        envelope(at, "AWS API Call via CloudTrail", "aws.ec2", accountId, line.region());
    ObjectNode detail = event.putObject("detail");
    detail.put("eventSource", "ec2.amazonaws.com").put("eventName", "RunInstances");
    detail.put("eventTime", at.truncatedTo(ChronoUnit.SECONDS).toString());
    detail.put("awsRegion", line.region());
    detail.put("errorCode", "Server." + refusal.code()).put("errorMessage", refusal.message());
    ObjectNode request = detail.putObject("requestParameters");
    request.put("instanceType", line.instanceType());
    request.putObject("placement").put("availabilityZone", line.zone());
    if (line.capacityType() == CapacityType.SPOT) {
      request.putObject("instanceMarketOptions").put("marketType", "spot");
    }
    sink.send(EventSink.EVENTS, line.instanceType(), event.toString());
  }

  private String ec2(
      Instance instance,
      Instant now,
      String type,
      java.util.function.Consumer<ObjectNode> moreDetail) {
    Line line = instance.line();
    ObjectNode event = envelope(now, type, "aws.ec2", instance.accountId(), line.region());
    // The ARN of spot events carries the zone where others have the region.
    event.putArray("resources").add("arn:aws:ec2:" + line.zone() + ":instance/" + instance.id());
    ObjectNode detail = event.putObject("detail");
    detail.put("instance-id", instance.id());
    moreDetail.accept(detail);
    return event.toString();
  }

  private ObjectNode envelope(
      Instant at, String type, String source, String account, String region) {
    ObjectNode event = JSON.createObjectNode();
    event.put("version", "0").put("id", id()).put("detail-type", type).put("source", source);
    event.put("account", account).put("time", at.truncatedTo(ChronoUnit.SECONDS).toString());
    event.put("region", region);
    event.putArray("resources");
    return event;
  }

  private String oci(Instance instance, Instant now, String verb, String detailKey) {
    ObjectNode event = JSON.createObjectNode();
    event.put("eventType", "com.oraclecloud.computeapi." + verb);
    event.put("cloudEventsVersion", "0.1").put("eventTypeVersion", "2.0");
    event.put("source", "ComputeApi").put("eventID", id());
    event.put("eventTime", now.truncatedTo(ChronoUnit.MILLIS).toString());
    event.put("contentType", "application/json");
    ObjectNode data = event.putObject("data");
    data.put("compartmentId", instance.accountId()).put("compartmentName", "gpu");
    data.put("resourceId", instance.id()).put("resourceName", instance.cluster());
    // Availability domains carry a prefix of their tenancy.
    data.put("availabilityDomain", "SpLw:" + instance.line().zone());
    data.putObject("freeformTags");
    data.putObject("additionalDetails").put(detailKey, "TERMINATE");
    return event.toString();
  }

  private String cloudEvent(Instance instance, Instant now, String kind, Instant deadline) {
    Line line = instance.line();
    ObjectNode event = JSON.createObjectNode();
    event.put("specversion", "1.0").put("id", id());
    event.put("type", "io.spillway.capacity." + kind);
    event.put("source", "/" + line.provider() + "/" + instance.cluster());
    event.put("subject", instance.id());
    event.put("time", now.truncatedTo(ChronoUnit.MILLIS).toString());
    event.put("datacontenttype", "application/json");
    ObjectNode data = event.putObject("data");
    data.put("provider", line.provider()).put("account", instance.accountId());
    data.put("region", line.region()).put("zone", line.zone());
    data.put("instanceType", line.instanceType());
    data.put("capacityType", line.capacityType().text().toLowerCase(Locale.ROOT));
    data.putArray("instances").add(instance.id());
    data.put("deadline", deadline.truncatedTo(ChronoUnit.MILLIS).toString());
    return event.toString();
  }

  private String id() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }
}
