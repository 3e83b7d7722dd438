package io.spillway.capacity.oci;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventBatch;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Events of OCI's Events service, which looks like CloudEvents 0.1. The preemption action comes two
 * minutes before the instance is terminated (OCI documentation); a failed launch carries its words
 * in the {@code .end} event or in a work request's error.
 *
 * <p>An instance is named by its OCID, as nodes of OKE name it.
 */
final class OciEvents implements EventNormalizer {
  private static final String PREFIX = "com.oraclecloud.";
  private static final String COMPUTE = PREFIX + "computeapi.";

  /** What the compute services tell besides; a rule that lets it through does no harm. */
  private static final Pattern KNOWN =
      Pattern.compile(
          "com\\.oraclecloud\\.(?:computeapi|computemanagement)\\."
              + "(?:launch|update|get|list|create|delete|attach|detach|change|move|start|stop|reset|"
              + "softreset|capture|export|import|add|remove|terminate)\\w*(?:\\.(?:begin|end))?");

  private static final List<String> WINDOW_FIELDS =
      List.of("timeWindowStart", "timeScheduled", "timeMaintenanceRebootDue", "timeHardDueDate");

  private final FailureClassifier classifier;
  private final Duration spotNotice;

  OciEvents(FailureClassifier classifier, Facts facts) {
    this.classifier = classifier;
    this.spotNotice = facts.notice(Facts.SPOT_NOTICE);
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    return json.contains(PREFIX)
        ? EventBatch.normalize(json, event -> one(event, accounts))
        : new NotMine();
  }

  private Normalized one(JsonNode event, AccountNames accounts) {
    String type = event.path("eventType").asText().toLowerCase(Locale.ROOT);
    if (!type.startsWith(PREFIX)) {
      return new NotMine();
    }
    String resource = event.path("data").path("resourceId").asText();
    if (resource.isEmpty()) {
      return new Malformed("field 'data.resourceId' is missing");
    }
    try {
      Instant time = Instant.parse(event.path("eventTime").asText());
      return read(type, event, resource, time, accounts);
    } catch (DateTimeException e) {
      return new Malformed("field 'eventTime' is no time: " + event.path("eventTime").asText());
    }
  }

  private Normalized read(
      String type, JsonNode event, String resource, Instant time, AccountNames accounts) {
    return switch (type) {
      case COMPUTE + "instancepreemptionaction" ->
          notice(
              event,
              Kind.INTERRUPTION,
              resource,
              time,
              Optional.of(time.plus(spotNotice)),
              accounts);
      case COMPUTE + "terminateinstance.begin", COMPUTE + "terminateinstance.end" ->
          notice(event, Kind.LOSS, resource, time, Optional.of(time), accounts);
      case COMPUTE + "instanceaction.begin", COMPUTE + "instanceaction.end" ->
          action(type, event, resource, time, accounts);
      default -> other(type, event, resource, time, accounts);
    };
  }

  private Normalized other(
      String type, JsonNode event, String resource, Instant time, AccountNames accounts) {
    if (type.startsWith(COMPUTE) && type.contains("maintenance")) {
      return type.endsWith(".end")
          ? new Irrelevant(type)
          : notice(event, Kind.MAINTENANCE, resource, time, window(event), accounts);
    }
    if (!KNOWN.matcher(type).matches()) {
      return new Malformed("unknown type of an OCI event: " + type);
    }
    return type.endsWith(".end") ? end(type, event, time, accounts) : new Irrelevant(type);
  }

  /** Whoever stops or resets a machine ends what runs there, also when it comes back. */
  private static Normalized action(
      String type, JsonNode event, String resource, Instant time, AccountNames accounts) {
    JsonNode details = event.path("data").path("additionalDetails");
    String action =
        details
            .path("instanceActionType")
            .asText(details.path("action").asText())
            .toLowerCase(Locale.ROOT);
    if (action.contains("stop") || action.contains("reset") || action.contains("reboot")) {
      return notice(event, Kind.LOSS, resource, time, Optional.of(time), accounts);
    }
    return action.equals("start") && type.endsWith(".end")
        ? notice(event, Kind.RUNNING, resource, time, Optional.empty(), accounts)
        : new Irrelevant(type + ": " + action);
  }

  private static Optional<Instant> window(JsonNode event) {
    JsonNode details = event.path("data").path("additionalDetails");
    return WINDOW_FIELDS.stream()
        .map(details::path)
        .filter(JsonNode::isTextual)
        .map(field -> Instant.parse(field.textValue()))
        .findFirst();
  }

  /** The end of a launch, of a pool's or of a cluster network's growth. */
  private Normalized end(String type, JsonNode event, Instant time, AccountNames accounts) {
    JsonNode details = event.path("data").path("additionalDetails");
    String message = details.path("errorMessage").asText(details.path("message").asText());
    String shape = details.path("shape").asText(details.path("instanceShape").asText());
    if (message.isEmpty()) {
      return new Irrelevant(type);
    }
    if (shape.isEmpty()) {
      return new Malformed("a failed launch without 'data.additionalDetails.shape'");
    }
    String domain = event.path("data").path("availabilityDomain").asText();
    String region = OciPlaces.region(event.path("data"));
    Optional<String> reservation =
        Optional.of(details.path("capacityReservationId").asText()).filter(id -> !id.isEmpty());
    MarketKey key =
        new MarketKey(
            "oci",
            account(event, accounts),
            region,
            domain.isEmpty() ? region : OciPlaces.zone(domain),
            shape,
            reservation.isPresent() ? CapacityType.RESERVED : CapacityType.ON_DEMAND,
            reservation);
    int status = details.path("status").asInt(500);
    return new Failures(
        List.of(
            classifier.classify(
                new Failure(key, details.path("errorCode").asText(), message, status, time))));
  }

  private static Normalized notice(
      JsonNode event,
      Kind kind,
      String resource,
      Instant time,
      Optional<Instant> deadline,
      AccountNames accounts) {
    String id = event.path("eventID").asText(event.path("eventId").asText());
    return new Notices(
        List.of(
            new CapacityNotice(
                "oci:" + (id.isEmpty() ? resource + '@' + time : id),
                "oci",
                account(event, accounts),
                OciPlaces.region(event.path("data")),
                kind,
                List.of(resource),
                Optional.empty(),
                time,
                deadline)));
  }

  /**
   * Instances belong to compartments; an account is configured by its compartment's id, or by that
   * of the whole tenancy.
   */
  private static String account(JsonNode event, AccountNames accounts) {
    JsonNode data = event.path("data");
    String compartment = data.path("compartmentId").asText();
    return accounts
        .nameOf("oci", compartment)
        .or(() -> accounts.nameOf("oci", data.path("compartmentName").asText()))
        .or(() -> accounts.nameOf("oci", data.path("identity").path("tenantId").asText()))
        .orElse(compartment);
  }
}
