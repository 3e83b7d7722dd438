package io.spillway.capacity.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventBatch;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
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
  /** Events that a rule for EC2, Auto Scaling and fleets brings along. */
  private static final Set<String> NOTHING_TO_DO =
      Set.of(
          // The probe sees what was delivered, with its numbers.
          "Capacity Block Reservation Delivered",
          "Capacity Block Delivered",
          "EC2 Spot Instance Request Fulfillment",
          "EBS Volume Notification",
          "EBS Snapshot Notification",
          "EBS Multi-Volume Snapshots Completion Status",
          "EC2 Instance Launch Successful",
          "EC2 Instance Terminate Successful",
          "EC2 Instance Terminate Unsuccessful",
          "EC2 Instance-launch Lifecycle Action",
          "EC2 Instance-terminate Lifecycle Action",
          "EC2 Auto Scaling Instance Refresh Started",
          "EC2 Auto Scaling Instance Refresh Succeeded",
          "EC2 Auto Scaling Instance Refresh Failed",
          "EC2 Auto Scaling Instance Refresh Cancelled",
          "EC2 Auto Scaling Instance Refresh Checkpoint Reached",
          "EC2 Fleet State Change",
          "EC2 Fleet Instance Change",
          "EC2 Fleet Spot Instance Request Change",
          "EC2 Spot Fleet State Change",
          "EC2 Spot Fleet Instance Change",
          "EC2 Spot Fleet Spot Instance Request Change");

  private static final Set<String> GONE =
      Set.of("stopping", "stopped", "shutting-down", "terminated");

  /**
   * How long EC2 warns: of the end of a spot instance (EC2 user guide; hibernation starts at once),
   * of an instance in a reservation that is taken back (EC2's events do not tell), of the instances
   * of a Capacity Block, which end 30 min before it (EC2 user guide).
   */
  static final Facts USUAL =
      Facts.of("aws", Duration.ofMinutes(2))
          .and("reservation-notice", Duration.ofMinutes(2))
          .and("capacity-block-notice", Duration.ofMinutes(10));

  private final AwsLaunchFailures failures;
  private final Duration spotNotice;
  private final Duration reservationNotice;
  private final Duration blockNotice;

  AwsEvents(FailureClassifier classifier, AwsZones zones, Facts facts) {
    this.failures = new AwsLaunchFailures(classifier, zones);
    this.spotNotice = facts.notice(Facts.SPOT_NOTICE);
    this.reservationNotice = facts.notice("reservation-notice");
    this.blockNotice = facts.notice("capacity-block-notice");
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
      case "EC2 Spot Instance Interruption Warning" -> interruption(envelope, spotNotice);
      case "EC2 Capacity Reservation Instance Interruption Warning",
          "EC2 Interruptible Capacity Reservation Instance Interruption Warning" ->
          interruption(envelope, reservationNotice);
      case "Capacity Block Reservation Expiration Warning", "Capacity Block Expiration Warning" ->
          blockEnds(envelope);
      case "EC2 Instance Rebalance Recommendation" ->
          notice(envelope, Kind.RISK, instance(envelope), Optional.empty());
      case "EC2 Instance State-change Notification" -> stateChange(envelope);
      case "AWS Health Event" -> maintenance(envelope);
      case "AWS API Call via CloudTrail" -> failures.ofCloudTrail(envelope);
      case "EC2 Instance Launch Unsuccessful" -> failures.ofAutoScaling(envelope);
      case "EC2 Fleet Error",
          "EC2 Fleet Information",
          "EC2 Spot Fleet Error",
          "EC2 Spot Fleet Information" ->
          failures.ofFleet(envelope);
      default ->
          NOTHING_TO_DO.contains(envelope.type())
              ? new Irrelevant(envelope.type())
              : new Malformed("unknown type '" + shortened(envelope.type()) + "'");
    };
  }

  private static Normalized interruption(Envelope envelope, Duration ahead)
      throws MissingFieldException {
    boolean atOnce = envelope.detail().path("instance-action").asText().equals("hibernate");
    return notice(
        envelope,
        Kind.INTERRUPTION,
        instance(envelope),
        Optional.of(atOnce ? envelope.time() : envelope.time().plus(ahead)));
  }

  /**
   * EC2 begins to end a block's instances some minutes after this warning. It names the reservation
   * and neither zone nor type.
   */
  private Normalized blockEnds(Envelope envelope) throws MissingFieldException {
    MarketKey reservation =
        new MarketKey(
            "aws",
            envelope.account(),
            envelope.region(),
            envelope.region(),
            "",
            CapacityType.RESERVED,
            Optional.of(required(envelope.detail(), "capacity-reservation-id")));
    return new Notices(
        List.of(
            new CapacityNotice(
                "aws:" + envelope.id(),
                "aws",
                envelope.account(),
                envelope.region(),
                Kind.INTERRUPTION,
                List.of(),
                Optional.of(reservation),
                envelope.time(),
                Optional.of(envelope.time().plus(blockNotice)))));
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
        || !detail.path("eventTypeCategory").asText().equals("scheduledChange")
        || detail.path("statusCode").asText().equals("closed")) {
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
    return notice(
        envelope, Kind.MAINTENANCE, instances, Optional.of(time(required(detail, "startTime"))));
  }

  /** Health writes dates as mail does; its API in ISO 8601. */
  private static Instant time(String text) {
    return text.indexOf(',') < 0
        ? Instant.parse(text)
        : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
            .toInstant();
  }

  private static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
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
