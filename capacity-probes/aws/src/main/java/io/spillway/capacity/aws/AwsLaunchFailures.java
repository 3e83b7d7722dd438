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
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * EC2 emits no event for missing capacity. It is seen, minutes late, in three envelopes: the API
 * call's error through CloudTrail, an Auto Scaling group's failed launch, and the errors of
 * maintain and request fleets. Zones stand there by name and become ids as the account's probe
 * learnt them; a name that nobody knows makes a block that covers nothing. Where no zone was asked
 * for, EC2 tried them all, and the block covers the type in all of them.
 */
final class AwsLaunchFailures {
  private static final Set<String> LAUNCH_CALLS =
      Set.of("RunInstances", "StartInstances", "CreateFleet");

  private static final Pattern INSTANCE_TYPE =
      Pattern.compile(
          "\\b([a-z][a-z0-9-]{1,15}\\.(?:\\d{1,3}xlarge|[a-z]{2,7}large|large|metal))\\b");
  private static final Pattern ZONE =
      Pattern.compile("\\b([a-z]{2}(?:-[a-z]{2,10}){1,3}-\\d[a-z])\\b");

  /** EC2's codes begin like this; other words in camel case are names. */
  private static final Pattern CODE =
      Pattern.compile(
          "\\b((?:Insufficient|Unfulfillable|Max|Vcpu|VCPU|Instance|Volume|SpotMax"
              + "|ReservationCapacity|RequestLimit|Invalid|Unauthorized|Internal|Pending|OptIn"
              + ")[A-Z][A-Za-z.]{3,60}|Unsupported(?:Operation)?|AuthFailure[A-Za-z.]{0,60})\\b");

  private final FailureClassifier classifier;
  private final AwsZones zones;

  AwsLaunchFailures(FailureClassifier classifier, AwsZones zones) {
    this.classifier = classifier;
    this.zones = zones;
  }

  /** A launch as it was asked for; what is empty was not told. */
  private record Asked(
      String type, String zone, CapacityType market, Optional<String> reservation) {
    static Asked of(String type, String zone, boolean spot) {
      return new Asked(
          type, zone, spot ? CapacityType.SPOT : CapacityType.ON_DEMAND, Optional.empty());
    }
  }

  Normalized ofCloudTrail(Envelope envelope) {
    JsonNode detail = envelope.detail();
    String call = detail.path("eventName").asText();
    String code = detail.path("errorCode").asText();
    if (call.equals("CreateFleet") && code.isEmpty()) {
      return ofFleetAnswer(envelope);
    }
    if (!LAUNCH_CALLS.contains(call) || code.isEmpty()) {
      return new Irrelevant(envelope.type() + ": " + call);
    }
    String message = detail.path("errorMessage").asText();
    return failure(
        envelope, asked(detail.path("requestParameters"), message), AwsWords.bare(code), message);
  }

  private static Asked asked(JsonNode request, String message) {
    String type = request.path("instanceType").asText(first(INSTANCE_TYPE, message).orElse(""));
    if (type.isEmpty()) {
      type = request.path("instancesSet").path("items").path(0).path("instanceType").asText();
    }
    String zone =
        request
            .path("placement")
            .path("availabilityZone")
            .asText(request.path("availabilityZone").asText(first(ZONE, message).orElse("")));
    Optional<String> reservation =
        Optional.of(
                request
                    .path("capacityReservationSpecification")
                    .path("capacityReservationTarget")
                    .path("capacityReservationId")
                    .asText())
            .filter(id -> !id.isEmpty());
    String market = request.path("instanceMarketOptions").path("marketType").asText();
    return reservation.isPresent()
        ? new Asked(type, zone, CapacityType.RESERVED, reservation)
        : Asked.of(type, zone, market.equals("spot"));
  }

  /** A fleet answers 200 and tells each pool's refusal inside. */
  private Normalized ofFleetAnswer(Envelope envelope) {
    JsonNode items =
        envelope
            .detail()
            .path("responseElements")
            .path("CreateFleetResponse")
            .path("errorSet")
            .path("item");
    List<CapacityFailure> failures = new ArrayList<>();
    for (JsonNode item : items.isArray() ? items : List.of(items)) {
      JsonNode pool = item.path("launchTemplateAndOverrides").path("overrides");
      String type = pool.path("instanceType").asText();
      if (!type.isEmpty()) {
        String message = item.path("errorMessage").asText();
        String zone = pool.path("availabilityZone").asText(first(ZONE, message).orElse(""));
        Asked asked = Asked.of(type, zone, item.path("lifecycle").asText().equals("spot"));
        failures.add(classified(envelope, asked, item.path("errorCode").asText(), message));
      }
    }
    return failures.isEmpty()
        ? new Irrelevant(envelope.type() + ": CreateFleet")
        : new Failures(failures);
  }

  Normalized ofAutoScaling(Envelope envelope) throws MissingFieldException {
    JsonNode detail = envelope.detail();
    String message = AwsEvents.required(detail, "StatusMessage");
    String zone =
        detail.path("Details").path("Availability Zone").asText(first(ZONE, message).orElse(""));
    // The group's name is a user's text: it stands in another field and is never read.
    return failure(
        envelope,
        Asked.of(first(INSTANCE_TYPE, message).orElse(""), zone, message.contains("Spot")),
        first(CODE, message).orElse(""),
        message);
  }

  Normalized ofFleet(Envelope envelope) {
    JsonNode detail = envelope.detail();
    String description = detail.path("description").asText();
    String subType = detail.path("sub-type").asText();
    Optional<String> type = first(INSTANCE_TYPE, description);
    boolean limit = subType.equals("spotInstanceCountLimitExceeded");
    if (type.isEmpty() && !limit) {
      return new Irrelevant(envelope.type() + ": " + subType);
    }
    Asked asked =
        Asked.of(
            type.orElse(envelope.type()),
            first(ZONE, description).orElse(""),
            limit || !description.contains("On-Demand"));
    String code = limit ? subType : first(CODE, description).orElse(subType);
    return failure(envelope, asked, code, description);
  }

  private Normalized failure(Envelope envelope, Asked asked, String code, String message) {
    return asked.type().isEmpty()
        ? new Malformed("no instance type in the failed launch: " + shortened(message))
        : new Failures(List.of(classified(envelope, asked, code, message)));
  }

  private CapacityFailure classified(Envelope envelope, Asked asked, String code, String message) {
    MarketKey key =
        new MarketKey(
            "aws",
            envelope.account(),
            envelope.region(),
            asked.zone().isEmpty()
                ? envelope.region()
                : zones.id(envelope.account(), asked.zone()).orElse(asked.zone()),
            asked.type(),
            asked.market(),
            asked.reservation());
    CapacityFailure told = classifier.classify(new Failure(key, code, message, 0, envelope.time()));
    return asked.zone().isEmpty() ? inEveryZone(told) : told;
  }

  private static CapacityFailure inEveryZone(CapacityFailure told) {
    BlockScope scope = told.scope();
    return told.in(
        new BlockScope(
            scope.provider(),
            scope.account(),
            scope.region(),
            Optional.empty(),
            scope.family(),
            scope.capacityType(),
            scope.reservation(),
            scope.reserved()));
  }

  private static Optional<String> first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String shortened(String message) {
    return message.length() <= 120 ? message : message.substring(0, 120) + "…";
  }
}
