package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.json.Texts;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A JSON merge patch (RFC 7396) of what may change in a job.
 *
 * @param labels by key: a new value, or empty to remove it
 */
record JobPatch(Optional<String> priorityClass, Map<String, Optional<String>> labels) {

  static JobPatch read(ObjectNode body) {
    Faults faults = new Faults();
    JsonFields fields = new JsonFields("", body, faults);
    if (body.path("priorityClass").isNull()) {
      fields.fault("priorityClass", "cannot be removed");
    }
    if (body.has("deadline")) {
      fields.value("deadline");
      fields.fault("deadline", "not supported by this version");
    }
    Optional<String> priorityClass = fields.text("priorityClass", 63);
    Map<String, Optional<String>> labels = new TreeMap<>();
    if (body.get("labels") instanceof ObjectNode changed) {
      ObjectNode kept = changed.deepCopy();
      for (Map.Entry<String, com.fasterxml.jackson.databind.JsonNode> entry :
          changed.properties()) {
        if (entry.getValue().isNull()) {
          kept.remove(entry.getKey());
          labels.put(entry.getKey(), Optional.empty());
        }
      }
      ObjectNode onlyLabels = body.objectNode().set("labels", kept);
      JobSpecReader.labels(new JsonFields("", onlyLabels, faults))
          .forEach((key, value) -> labels.put(key, Optional.of(value)));
      fields.value("labels");
    } else if (body.path("labels").isNull()) {
      fields.fault("labels", "cannot be null; name the labels to remove with null each");
    } else {
      fields.object("labels");
    }
    fields.end();
    faults.refuse(ProblemType.INVALID_BODY);
    return new JobPatch(priorityClass, labels);
  }

  boolean isEmpty() {
    return priorityClass.isEmpty() && labels.isEmpty();
  }

  /**
   * @throws Refused if the job would have more labels than it could be submitted with
   */
  void refuseTooManyLabels(JobRow row) {
    int count = labels.isEmpty() ? 0 : merged(JsonTexts.map(row.labels)).size();
    if (count > JobSpecReader.MAX_LABELS) {
      throw Refused.field(
          ProblemType.INVALID_BODY,
          "labels",
          "the job would have " + count + ", at most " + JobSpecReader.MAX_LABELS + " are taken");
    }
  }

  CommandInput input(JobRow row) {
    return new CommandInput.JobPatched(
        row.jobId(),
        priorityClass,
        labels.isEmpty() ? Optional.empty() : Optional.of(merged(JsonTexts.map(row.labels))));
  }

  /** Whether the row shows what was asked for. */
  boolean isIn(JobRow row) {
    Map<String, String> now = JsonTexts.map(row.labels);
    return priorityClass.map(row.priorityClass::equals).orElse(true) && merged(now).equals(now);
  }

  private Map<String, String> merged(Map<String, String> present) {
    Map<String, String> merged = new TreeMap<>(present);
    labels.forEach(
        (key, value) -> value.ifPresentOrElse(to -> merged.put(key, to), () -> merged.remove(key)));
    return merged;
  }

  @Override
  public String toString() {
    return Texts.printable(priorityClass + " " + labels, 200);
  }
}
