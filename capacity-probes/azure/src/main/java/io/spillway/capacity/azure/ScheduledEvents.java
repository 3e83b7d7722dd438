package io.spillway.capacity.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.spi.EventNormalizer.AccountNames;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.capacity.spi.Facts;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The document of the metadata service, forwarded by the machine that read it. It names machines by
 * their names alone, so the forwarder puts what the metadata service says of the machine itself
 * ({@code instance/compute}) beside it, as {@code compute}. The document stays the same until the
 * event is over, and is told again and again.
 */
final class ScheduledEvents {
  /**
   * The shortest notices that Azure promises, for events that do not say when they begin (Azure
   * documentation of scheduled events).
   */
  static final Facts USUAL =
      Facts.of("azure", Duration.ofSeconds(30))
          .and("reboot-notice", Duration.ofMinutes(15))
          .and("redeploy-notice", Duration.ofMinutes(10))
          .and("freeze-notice", Duration.ofMinutes(15))
          .and("terminate-notice", Duration.ofMinutes(5));

  private final Map<String, Type> types;

  ScheduledEvents(Facts facts) {
    this.types =
        Map.of(
            "Preempt", new Type(Kind.INTERRUPTION, facts.notice(Facts.SPOT_NOTICE)),
            "Reboot", new Type(Kind.MAINTENANCE, facts.notice("reboot-notice")),
            "Redeploy", new Type(Kind.MAINTENANCE, facts.notice("redeploy-notice")),
            "Freeze", new Type(Kind.MAINTENANCE, facts.notice("freeze-notice")),
            "Terminate", new Type(Kind.INTERRUPTION, facts.notice("terminate-notice")));
  }

  /**
   * What Azure calls an event.
   *
   * @param notice the shortest
   */
  private record Type(Kind kind, Duration notice) {}

  Normalized read(JsonNode document, AccountNames accounts, Instant receivedAt) {
    JsonNode compute = document.path("compute");
    Optional<VmId> self = VmId.of(compute.path("resourceId").asText());
    if (self.isEmpty()) {
      return new Malformed(
          "field 'compute.resourceId' is missing: what the metadata service says of the machine"
              + " must stand beside its scheduled events");
    }
    List<Normalized> parts = new ArrayList<>();
    for (JsonNode event : document.path("Events")) {
      parts.add(one(event, self.get(), compute, accounts, receivedAt));
    }
    return switch (parts.size()) {
      case 0 -> new Irrelevant("ScheduledEvents: none");
      case 1 -> parts.getFirst();
      default -> new Several(parts);
    };
  }

  private Normalized one(
      JsonNode event, VmId self, JsonNode compute, AccountNames accounts, Instant receivedAt) {
    String type = event.path("EventType").asText();
    String id = event.path("EventId").asText();
    Type known = types.get(type);
    if (known == null || id.isEmpty()) {
      return new Malformed(
          known == null
              ? "unknown type of a scheduled event: " + type
              : "field 'EventId' is missing");
    }
    if (!concerns(event, compute)) {
      return new Irrelevant("ScheduledEvents: " + type + " of another machine");
    }
    String begins = event.path("NotBefore").asText();
    boolean started = event.path("EventStatus").asText().equals("Started");
    Instant deadline =
        !begins.isEmpty()
            ? ZonedDateTime.parse(
                    begins, DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
                .toInstant()
            : started ? receivedAt : receivedAt.plus(known.notice());
    return AzureEvents.notice(
        id + (started ? ":started" : ""),
        self,
        accounts,
        compute.path("location").asText().toLowerCase(Locale.ROOT),
        known.kind(),
        receivedAt,
        Optional.of(deadline));
  }

  /** All machines of a placement group or availability set see each other's events. */
  private static boolean concerns(JsonNode event, JsonNode compute) {
    String name = compute.path("name").asText();
    for (JsonNode resource : event.path("Resources")) {
      if (resource.asText().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
