package io.spillway.capacity.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.aws.AwsEvents.Envelope;
import io.spillway.capacity.aws.AwsEvents.MissingFieldException;
import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * EC2 emits no event for missing capacity. It is seen, minutes late, in three envelopes: the API
 * call's error through CloudTrail, an Auto Scaling group's failed launch, and the errors of
 * maintain and request fleets. Zones stand there by name, not by id; a zone that no offering uses
 * makes a block that covers nothing.
 */
final class AwsLaunchFailures {
  private static final Set<String> LAUNCH_CALLS =
      Set.of("RunInstances", "StartInstances", "CreateFleet");

  private static final Pattern INSTANCE_TYPE =
      Pattern.compile(
          "\\b([a-z][a-z0-9-]{1,15}\\.(?:\\d{1,3}xlarge|[a-z]{2,7}large|large|metal))\\b");
  private static final Pattern ZONE =
      Pattern.compile("\\b([a-z]{2}(?:-[a-z]{2,10}){1,3}-\\d[a-z])\\b");
  private static final Pattern CODE = Pattern.compile("\\b([A-Z][a-z]+(?:[A-Z][a-z]+){1,6})\\b");

  private final FailureClassifier classifier;

  AwsLaunchFailures(FailureClassifier classifier) {
    this.classifier = classifier;
  }

  Normalized ofCloudTrail(Envelope envelope) throws MissingFieldException {
    JsonNode detail = envelope.detail();
    String call = detail.path("eventName").asText();
    String code = detail.path("errorCode").asText();
    if (!LAUNCH_CALLS.contains(call) || code.isEmpty()) {
      return new Irrelevant(envelope.type() + ": " + call);
    }
    JsonNode request = detail.path("requestParameters");
    String message = detail.path("errorMessage").asText();
    String type = request.path("instanceType").asText(first(INSTANCE_TYPE, message).orElse(""));
    if (type.isEmpty()) {
      type = request.path("instancesSet").path("items").path(0).path("instanceType").asText();
    }
    String zone =
        request
            .path("placement")
            .path("availabilityZone")
            .asText(request.path("availabilityZone").asText(first(ZONE, message).orElse("")));
    boolean spot = request.path("instanceMarketOptions").path("marketType").asText().equals("spot");
    return failure(envelope, type, zone, spot, bare(code), message);
  }

  Normalized ofAutoScaling(Envelope envelope) throws MissingFieldException {
    JsonNode detail = envelope.detail();
    String message = AwsEvents.required(detail, "StatusMessage");
    String zone =
        detail.path("Details").path("Availability Zone").asText(first(ZONE, message).orElse(""));
    // The group's name is a user's text: it stands in another field and is never read.
    return failure(
        envelope,
        first(INSTANCE_TYPE, message).orElse(""),
        zone,
        message.contains("Spot"),
        first(CODE, message).orElse(""),
        message);
  }

  Normalized ofFleet(Envelope envelope) throws MissingFieldException {
    JsonNode detail = envelope.detail();
    String description = detail.path("description").asText();
    String subType = detail.path("sub-type").asText();
    Optional<String> type = first(INSTANCE_TYPE, description);
    if (type.isEmpty()) {
      return new Irrelevant(envelope.type() + ": " + subType);
    }
    return failure(
        envelope,
        type.get(),
        first(ZONE, description).orElse(""),
        !description.contains("On-Demand"),
        first(CODE, description).orElse(subType),
        description);
  }

  private Normalized failure(
      Envelope envelope, String type, String zone, boolean spot, String code, String message) {
    if (type.isEmpty()) {
      return new Malformed("no instance type in the failed launch: " + shortened(message));
    }
    MarketKey key =
        new MarketKey(
            "aws",
            envelope.account(),
            envelope.region(),
            zone.isEmpty() ? envelope.region() : zone,
            type,
            spot ? CapacityType.SPOT : CapacityType.ON_DEMAND,
            Optional.empty());
    return new Failures(
        List.of(classifier.classify(new Failure(key, code, message, 0, envelope.time()))));
  }

  /** CloudTrail puts {@code Server.} or {@code Client.} before EC2's code. */
  private static String bare(String code) {
    int dot = code.indexOf('.');
    return dot > 0 && (code.startsWith("Server.") || code.startsWith("Client."))
        ? code.substring(dot + 1)
        : code;
  }

  private static Optional<String> first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String shortened(String message) {
    return message.length() <= 120 ? message : message.substring(0, 120) + "…";
  }
}
