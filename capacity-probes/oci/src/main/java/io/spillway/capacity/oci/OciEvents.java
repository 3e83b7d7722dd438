package io.spillway.capacity.oci;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventEnvelope;
import io.spillway.capacity.spi.EventNormalizer;
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

/**
 * Events of OCI's Events service, which looks like CloudEvents 0.1. The preemption action comes two
 * minutes before the instance is terminated (OCI documentation); a failed launch carries its words
 * in the {@code .end} event or in a work request's error.
 */
final class OciEvents implements EventNormalizer {
  private static final String PREFIX = "com.oraclecloud.";
  private static final String COMPUTE = PREFIX + "computeapi.";
  private static final Duration PREEMPTION_NOTICE = Duration.ofMinutes(2);

  private final FailureClassifier classifier;

  OciEvents(FailureClassifier classifier) {
    this.classifier = classifier;
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    JsonNode event;
    try {
      event = EventEnvelope.unwrap(json);
    } catch (EventEnvelope.UnreadableException e) {
      return new Malformed(e.getMessage());
    }
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
          notice(event, Kind.INTERRUPTION, resource, time, time.plus(PREEMPTION_NOTICE), accounts);
      case COMPUTE + "terminateinstance.begin", COMPUTE + "terminateinstance.end" ->
          notice(event, Kind.LOSS, resource, time, time, accounts);
      case COMPUTE + "launchinstance.end" -> launchEnd(event, time, accounts);
      default -> new Irrelevant(type);
    };
  }

  private Normalized launchEnd(JsonNode event, Instant time, AccountNames accounts) {
    JsonNode details = event.path("data").path("additionalDetails");
    String message = details.path("errorMessage").asText(details.path("message").asText());
    String shape = details.path("shape").asText();
    if (message.isEmpty()) {
      return new Irrelevant(COMPUTE + "launchinstance.end");
    }
    if (shape.isEmpty()) {
      return new Malformed("a failed launch without 'data.additionalDetails.shape'");
    }
    String domain = event.path("data").path("availabilityDomain").asText();
    String region = region(event);
    MarketKey key =
        new MarketKey(
            "oci",
            account(event, accounts),
            region,
            domain.isEmpty() ? region : zoneId(domain),
            shape,
            CapacityType.ON_DEMAND,
            Optional.empty());
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
      Instant deadline,
      AccountNames accounts) {
    String id = event.path("eventID").asText(event.path("eventId").asText());
    return new Notices(
        List.of(
            new CapacityNotice(
                "oci:" + (id.isEmpty() ? resource + '@' + time : id),
                "oci",
                account(event, accounts),
                region(event),
                kind,
                List.of(resource),
                Optional.empty(),
                time,
                Optional.of(deadline))));
  }

  /** Instances belong to compartments; an account is configured by its compartment's id. */
  private static String account(JsonNode event, AccountNames accounts) {
    String compartment = event.path("data").path("compartmentId").asText();
    return accounts
        .nameOf("oci", compartment)
        .or(() -> accounts.nameOf("oci", event.path("data").path("compartmentName").asText()))
        .orElse(compartment);
  }

  /**
   * The region by the availability domain, {@code AbCd:EU-FRANKFURT-1-AD-1}; empty when there is
   * none. Ashburn and Phoenix are written {@code US-ASHBURN-AD-1} for {@code us-ashburn-1}.
   */
  private static String region(JsonNode event) {
    String zone =
        zoneId(event.path("data").path("availabilityDomain").asText()).toLowerCase(Locale.ROOT);
    int ad = zone.indexOf("-ad-");
    if (ad < 0) {
      return zone;
    }
    String region = zone.substring(0, ad);
    return Character.isDigit(region.charAt(region.length() - 1)) ? region : region + "-1";
  }

  /** The domain without the tenancy's random prefix, as nodes carry it in their zone label. */
  private static String zoneId(String domain) {
    return domain.substring(domain.indexOf(':') + 1);
  }
}
