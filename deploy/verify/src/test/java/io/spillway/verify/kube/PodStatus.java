package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** Pods' statuses, as a kubelet writes them. */
final class PodStatus {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PodStatus() {}

  static ObjectNode running(JsonNode pod) {
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode status = patch.putObject("status");
    status.put("phase", "Running").put("startTime", Instant.now().toString());
    ready(status.putArray("conditions"), "True");
    for (JsonNode container : pod.path("spec").path("containers")) {
      ObjectNode each = container(status, container).put("ready", true).put("started", true);
      each.putObject("state").putObject("running").put("startedAt", Instant.now().toString());
    }
    return patch;
  }

  static ObjectNode over(JsonNode pod, Instant began, int exitCode, String message) {
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode status = patch.putObject("status");
    status.put("phase", exitCode == 0 ? "Succeeded" : "Failed");
    ready(status.putArray("conditions"), "False");
    for (JsonNode container : pod.path("spec").path("containers")) {
      ObjectNode each = container(status, container).put("ready", false).put("started", false);
      ObjectNode end = each.putObject("state").putObject("terminated");
      end.put("exitCode", exitCode).put("reason", exitCode == 0 ? "Completed" : "Error");
      end.put("startedAt", began.toString()).put("finishedAt", Instant.now().toString());
      end.put("message", message);
    }
    return patch;
  }

  private static ObjectNode container(ObjectNode status, JsonNode container) {
    return status
        .withArray("containerStatuses")
        .addObject()
        .put("name", container.path("name").asText())
        .put("image", container.path("image").asText())
        .put("imageID", "")
        .put("restartCount", 0);
  }

  private static void ready(ArrayNode conditions, String value) {
    String now = Instant.now().toString();
    for (String type : new String[] {"Initialized", "ContainersReady", "Ready"}) {
      conditions
          .addObject()
          .put("type", type)
          .put("status", type.equals("Initialized") ? "True" : value)
          .put("lastTransitionTime", now);
    }
  }
}
