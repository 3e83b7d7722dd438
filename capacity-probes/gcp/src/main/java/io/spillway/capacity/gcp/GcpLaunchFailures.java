package io.spillway.capacity.gcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.spi.EventNormalizer.AccountNames;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refused creations in the audit log: the request says what was asked for, the status why not. */
final class GcpLaunchFailures {
  private static final Pattern ZONE = Pattern.compile("zones/([a-z0-9-]+)");

  private final FailureClassifier classifier;

  GcpLaunchFailures(FailureClassifier classifier) {
    this.classifier = classifier;
  }

  /**
   * @param collection of the call, for example {@code instances}
   * @param verb of the call, for example {@code insert}
   */
  Normalized of(String collection, String verb, JsonNode entry, AccountNames accounts) {
    String method = collection + '.' + verb;
    if (!collection.equals("instances") || !(verb.equals("insert") || verb.equals("bulkInsert"))) {
      return new Irrelevant("failed " + method);
    }
    JsonNode payload = entry.path("protoPayload");
    JsonNode request = payload.path("request");
    JsonNode asked =
        request.has("instanceProperties") ? request.path("instanceProperties") : request;
    String machineType = last(asked.path("machineType").asText());
    Matcher zone = ZONE.matcher(payload.path("resourceName").asText());
    if (machineType.isEmpty() || !zone.find()) {
      return new Malformed("a failed " + method + " without machine type or zone");
    }
    String project = GcpEvents.project(entry, "");
    MarketKey key =
        new MarketKey(
            "gcp",
            accounts.nameOf("gcp", project).orElse(project),
            GcpEvents.region(zone.group(1)),
            zone.group(1),
            machineType,
            market(asked),
            reservation(asked));
    JsonNode error = payload.path("response").path("error").path("errors").path(0);
    JsonNode status = payload.path("status");
    return new Failures(
        List.of(
            classifier.classify(
                new Failure(
                    key,
                    error
                        .path("code")
                        .asText(error.path("reason").asText(status.path("code").asText())),
                    error.path("message").asText() + ' ' + status.path("message").asText(),
                    payload.path("response").path("error").path("code").asInt(),
                    GcpEvents.time(entry)))));
  }

  private static CapacityType market(JsonNode asked) {
    JsonNode scheduling = asked.path("scheduling");
    String model = scheduling.path("provisioningModel").asText();
    if (model.equals("SPOT") || scheduling.path("preemptible").asBoolean()) {
      return CapacityType.SPOT;
    }
    return reservation(asked).isPresent() ? CapacityType.RESERVED : CapacityType.ON_DEMAND;
  }

  private static Optional<String> reservation(JsonNode asked) {
    JsonNode affinity = asked.path("reservationAffinity");
    return affinity.path("consumeReservationType").asText().equals("SPECIFIC_RESERVATION")
        ? Optional.of(last(affinity.path("values").path(0).asText())).filter(id -> !id.isEmpty())
        : Optional.empty();
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
