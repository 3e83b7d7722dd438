package io.spillway.capacity.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventBatch;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * EventBridge events of EC2, EC2 Auto Scaling, EC2 Fleet, CloudTrail and AWS Health. Both spellings
 * of the envelope ({@code detail-type}, {@code detail_type}) occur in Amazon's own samples.
 */
final class AwsEvents implements EventNormalizer {
  /** EC2 gives a spot instance two minutes; hibernation starts at once (EC2 user guide). */
  private static final Duration SPOT_NOTICE = Duration.ofMinutes(2);

  private static final Set<String> GONE =
      Set.of("stopping", "stopped", "shutting-down", "terminated");

  private final AwsLaunchFailures failures;

  AwsEvents(FailureClassifier classifier) {
    this.failures = new AwsLaunchFailures(classifier);
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    return EventBatch.normalize(json, event -> one(event, accounts));
  }

  private Normalized one(JsonNode event, AccountNames accounts) {
    String source = event.path("source").asText();
    if (!source.startsWith("aws.")) {
      return new NotMine();
    }
    try {
      return read(event, accounts);
    } catch (DateTimeException e) {
      return new Malformed("unreadable time: " + e.getMessage());
    } catch (MissingFieldException e) {
      return new Malformed(e.getMessage());
    }
  }

  private Normalized read(JsonNode event, AccountNames accounts) throws MissingFieldException {
    Envelope envelope = Envelope.of(event, accounts);
    return switch (envelope.type()) {
      case "EC2 Spot Instance Interruption Warning",
          "EC2 Capacity Reservation Instance Interruption Warning",
          "EC2 Interruptible Capacity Reservation Instance Interruption Warning" ->
          interruption(envelope);
      case "EC2 Instance Rebalance Recommendation" ->
          notice(envelope, Kind.RISK, instance(envelope), Optional.empty());
      case "EC2 Instance State-change Notification" -> stateChange(envelope);
      case "AWS Health Event" -> maintenance(envelope);
      case "AWS API Call via CloudTrail" -> failures.ofCloudTrail(envelope);
      case "EC2 Instance Launch Unsuccessful" -> failures.ofAutoScaling(envelope);
      case "EC2 Fleet Error", "EC2 Fleet Information" -> failures.ofFleet(envelope);
      default -> new Irrelevant(envelope.type());
    };
  }

  private static Normalized interruption(Envelope envelope) throws MissingFieldException {
    boolean atOnce = envelope.detail().path("instance-action").asText().equals("hibernate");
    return notice(
        envelope,
        Kind.INTERRUPTION,
        instance(envelope),
        Optional.of(atOnce ? envelope.time() : envelope.time().plus(SPOT_NOTICE)));
  }

  private static Normalized stateChange(Envelope envelope) throws MissingFieldException {
    String state = envelope.detail().path("state").asText();
    if (GONE.contains(state)) {
      return notice(envelope, Kind.LOSS, instance(envelope), Optional.of(envelope.time()));
    }
    return state.equals("running")
        ? notice(envelope, Kind.RUNNING, instance(envelope), Optional.empty())
        : new Irrelevant(envelope.type() + ": " + state);
  }

  private static Normalized maintenance(Envelope envelope) throws MissingFieldException {
    JsonNode detail = envelope.detail();
    if (!detail.path("service").asText().equals("EC2")
        || !detail.path("eventTypeCategory").asText().equals("scheduledChange")) {
      return new Irrelevant("AWS Health Event: " + detail.path("eventTypeCode").asText());
    }
    List<String> instances = new ArrayList<>();
    detail.path("affectedEntities").forEach(e -> instances.add(e.path("entityValue").asText()));
    if (instances.isEmpty()) {
      envelope.resources().forEach(instances::add);
    }
    instances.removeIf(id -> !id.startsWith("i-"));
    if (instances.isEmpty()) {
      return new Irrelevant("AWS Health Event without instances");
    }
    Instant start =
        ZonedDateTime.parse(
                required(detail, "startTime"),
                DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
            .toInstant();
    return notice(envelope, Kind.MAINTENANCE, instances, Optional.of(start));
  }

  private static Normalized notice(
      Envelope envelope, Kind kind, List<String> instances, Optional<Instant> deadline) {
    return new Notices(
        List.of(
            new CapacityNotice(
                "aws:" + envelope.id(),
                "aws",
                envelope.account(),
                envelope.region(),
                kind,
                instances,
                Optional.empty(),
                envelope.time(),
                deadline)));
  }

  private static List<String> instance(Envelope envelope) throws MissingFieldException {
    return List.of(required(envelope.detail(), "instance-id"));
  }

  static String required(JsonNode node, String field) throws MissingFieldException {
    String value = node.path(field).asText();
    if (value.isEmpty()) {
      throw new MissingFieldException(field);
    }
    return value;
  }

  /** The parts that all EventBridge events share. */
  record Envelope(
      String type,
      String id,
      String account,
      String region,
      Instant time,
      List<String> resources,
      JsonNode detail) {
    static Envelope of(JsonNode event, AccountNames accounts) throws MissingFieldException {
      String type = event.path("detail-type").asText(event.path("detail_type").asText());
      if (type.isEmpty()) {
        throw new MissingFieldException("detail-type");
      }
      String account = required(event, "account");
      List<String> resources = new ArrayList<>();
      event.path("resources").forEach(resource -> resources.add(resource.asText()));
      return new Envelope(
          type,
          required(event, "id"),
          accounts.nameOf("aws", account).orElse(account),
          required(event, "region"),
          Instant.parse(required(event, "time")),
          List.copyOf(resources),
          event.path("detail"));
    }
  }

  /** A field without which the event says nothing. */
  static final class MissingFieldException extends Exception {
    private static final long serialVersionUID = 1L;

    MissingFieldException(String field) {
      super("field '" + field + "' is missing");
    }
  }
}
