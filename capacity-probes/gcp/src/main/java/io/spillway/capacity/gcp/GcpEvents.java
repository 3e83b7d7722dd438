package io.spillway.capacity.gcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventBatch;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Audit log entries of Compute Engine, as a log sink exports them: bare, through Pub/Sub or through
 * Eventarc. Google tells of a preemption when it has begun, so it is a loss here; the notice of 30
 * seconds goes to the machine alone, whose agent tells it in Spillway's own events.
 *
 * <p>Instances are named as nodes name them: {@code gce://project/zone/name}.
 */
final class GcpEvents implements EventNormalizer {
  private static final String EVENTARC = "google.cloud.audit.log.";

  /** Only an entry with one of these can be ours; Base64 hides what Pub/Sub carries. */
  private static final List<String> SIGNS = List.of("protoPayload", "logName", "\"data\"");

  private static final Map<String, Kind> SYSTEM =
      Map.of(
          "compute.instances.preempted", Kind.LOSS,
          "compute.instances.hostError", Kind.LOSS,
          "compute.instances.guestTerminate", Kind.LOSS,
          "compute.instances.terminateOnHostMaintenance", Kind.LOSS,
          "compute.instances.automaticRestart", Kind.RUNNING);

  /** Understood, and no word about capacity. */
  private static final Set<String> SILENT =
      Set.of(
          "compute.instances.migrateOnHostMaintenance",
          "compute.instances.repair.recreateInstance",
          "compute.instanceGroupManagers.resizeAdvanced");

  private static final Pattern CALL =
      Pattern.compile("(?:v1|beta|alpha)\\.compute\\.([A-Za-z]+)\\.([A-Za-z.]+)");
  private static final Set<String> TAKEN = Set.of("delete", "stop", "suspend", "reset");
  private static final Pattern INSTANCE =
      Pattern.compile("projects/([^/]+)/zones/([^/]+)/instances/([^/]+)");

  private final GcpLaunchFailures failures;

  GcpEvents(FailureClassifier classifier) {
    this.failures = new GcpLaunchFailures(classifier);
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    return SIGNS.stream().anyMatch(json::contains)
        ? EventBatch.normalize(json, event -> one(event, accounts))
        : new NotMine();
  }

  private Normalized one(JsonNode event, AccountNames accounts) {
    JsonNode entry = event.path("type").asText().startsWith(EVENTARC) ? event.path("data") : event;
    if (!entry.path("logName").isTextual()) {
      return new NotMine();
    }
    JsonNode payload = entry.path("protoPayload");
    String method = payload.path("methodName").asText();
    if (method.isEmpty()) {
      return new Malformed("a log entry without 'protoPayload.methodName'");
    }
    try {
      return read(method, entry, accounts);
    } catch (DateTimeException e) {
      return new Malformed("field 'timestamp' is no time: " + entry.path("timestamp").asText());
    }
  }

  private Normalized read(String method, JsonNode entry, AccountNames accounts) {
    Kind kind = SYSTEM.get(method);
    if (kind != null) {
      return notice(kind, entry, accounts);
    }
    Matcher call = CALL.matcher(method);
    if (SILENT.contains(method) || !call.matches()) {
      return SILENT.contains(method)
          ? new Irrelevant(method)
          : new Malformed("unknown method of a log entry: " + shortened(method));
    }
    if (entry.path("protoPayload").path("status").path("code").asInt() != 0) {
      return failures.of(call.group(1), call.group(2), entry, accounts);
    }
    // An operation is logged when it begins and when it ends; either tells that the machine goes.
    return call.group(1).equals("instances") && TAKEN.contains(call.group(2))
        ? notice(Kind.LOSS, entry, accounts)
        : new Irrelevant(method);
  }

  private static Normalized notice(Kind kind, JsonNode entry, AccountNames accounts) {
    String resource = entry.path("protoPayload").path("resourceName").asText();
    Matcher name = INSTANCE.matcher(resource);
    if (!name.find()) {
      return new Malformed("field 'protoPayload.resourceName' names no instance");
    }
    String project = project(entry, name.group(1));
    String zone = name.group(2);
    Instant time = time(entry);
    String id = entry.path("insertId").asText();
    return new Notices(
        List.of(
            new CapacityNotice(
                "gcp:" + (id.isEmpty() ? resource + '@' + time : id),
                "gcp",
                accounts.nameOf("gcp", project).orElse(project),
                region(zone),
                kind,
                List.of("gce://" + project + '/' + zone + '/' + name.group(3)),
                Optional.empty(),
                time,
                kind == Kind.RUNNING ? Optional.empty() : Optional.of(time))));
  }

  static Instant time(JsonNode entry) {
    return OffsetDateTime.parse(entry.path("timestamp").asText()).toInstant();
  }

  /** Resource names may carry the project's number; nodes carry its id, and so do labels. */
  static String project(JsonNode entry, String otherwise) {
    return entry.path("resource").path("labels").path("project_id").asText(otherwise);
  }

  /** The zone without its last letter: {@code us-central1} of {@code us-central1-a}. */
  static String region(String zone) {
    int dash = zone.lastIndexOf('-');
    return dash < 0 ? zone : zone.substring(0, dash);
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
