package io.spillway.capacity.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.spi.EventNormalizer.AccountNames;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Event Grid's events about machines: deleted or deallocated resources of a subscription, and the
 * health notifications of {@code Microsoft.ResourceNotifications}. The schema is Event Grid's
 * ({@code eventType}, {@code eventTime}) or CloudEvents' ({@code type}, {@code time}).
 */
final class EventGrid {
  private static final String RESOURCES = "microsoft.resources.";
  private static final String HEALTH = "microsoft.resourcenotifications.healthresources.";

  private EventGrid() {}

  static boolean isOne(JsonNode event) {
    return type(event).startsWith("microsoft.") && event.has("data");
  }

  static Normalized read(JsonNode event, AccountNames accounts) {
    String type = type(event);
    JsonNode data = event.path("data");
    return switch (type) {
      case RESOURCES + "resourcedeletesuccess" ->
          loss(event, data.path("resourceUri").asText(event.path("subject").asText()), accounts);
      case RESOURCES + "resourceactionsuccess" -> action(event, data, accounts);
      case HEALTH + "availabilitystatuschanged" -> health(event, data, accounts);
      case HEALTH + "resourceannotated" -> annotation(event, data, accounts);
      case RESOURCES + "resourcewritesuccess",
          RESOURCES + "resourcewritefailure",
          RESOURCES + "resourcewritecancel",
          RESOURCES + "resourcedeletefailure",
          RESOURCES + "resourcedeletecancel",
          RESOURCES + "resourceactionfailure",
          RESOURCES + "resourceactioncancel",
          "microsoft.eventgrid.subscriptionvalidationevent" ->
          new Irrelevant(type);
      default -> new Malformed("unknown type of an Event Grid event: " + type);
    };
  }

  private static Normalized action(JsonNode event, JsonNode data, AccountNames accounts) {
    String operation = data.path("operationName").asText().toLowerCase(Locale.ROOT);
    if (!ActivityLog.takesMachine(operation)) {
      return new Irrelevant("resource action: " + operation);
    }
    return loss(event, data.path("resourceUri").asText(event.path("subject").asText()), accounts);
  }

  private static Normalized health(JsonNode event, JsonNode data, AccountNames accounts) {
    JsonNode properties = data.path("resourceInfo").path("properties");
    String target = properties.path("targetResourceId").asText(event.path("subject").asText());
    return switch (properties.path("availabilityState").asText().toLowerCase(Locale.ROOT)) {
      case "unavailable" -> loss(event, target, accounts);
      case "available" -> of(event, target, accounts, Kind.RUNNING);
      case "degraded" -> of(event, target, accounts, Kind.RISK);
      case "unknown" -> new Irrelevant("availability unknown");
      default -> new Malformed("field 'data.resourceInfo.properties.availabilityState' is missing");
    };
  }

  private static Normalized annotation(JsonNode event, JsonNode data, AccountNames accounts) {
    JsonNode properties = data.path("resourceInfo").path("properties");
    String name = properties.path("annotationName").asText();
    String words = name.toLowerCase(Locale.ROOT);
    String target = properties.path("targetResourceId").asText(event.path("subject").asText());
    if (words.contains("preempt") || words.contains("evict")) {
      return loss(event, target, accounts);
    }
    return words.contains("degraded") || words.contains("hardwarefailure")
        ? of(event, target, accounts, Kind.RISK)
        : new Irrelevant("annotation: " + name);
  }

  private static Normalized loss(JsonNode event, String resource, AccountNames accounts) {
    return of(event, resource, accounts, Kind.LOSS);
  }

  private static Normalized of(JsonNode event, String resource, AccountNames accounts, Kind kind) {
    Optional<VmId> vm = VmId.of(resource);
    if (vm.isEmpty()) {
      return new Irrelevant(type(event) + " of no machine");
    }
    Instant time =
        AzureEvents.time(event.has("eventTime") ? event.path("eventTime") : event.path("time"));
    String id = event.path("id").asText();
    return AzureEvents.notice(
        id.isEmpty() ? vm.get().path() + '@' + time : id,
        vm.get(),
        accounts,
        "",
        kind,
        time,
        kind == Kind.LOSS ? Optional.of(time) : Optional.empty());
  }

  private static String type(JsonNode event) {
    return event.path("eventType").asText(event.path("type").asText()).toLowerCase(Locale.ROOT);
  }
}
