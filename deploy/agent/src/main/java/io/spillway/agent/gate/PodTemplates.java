package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.agent.kube.Kind;
import java.util.ArrayList;
import java.util.List;

/** Where in an object its pods are described. */
final class PodTemplates {
  private PodTemplates() {}

  static List<JsonNode> of(Kind kind, JsonNode object) {
    JsonNode spec = object.path("spec");
    List<JsonNode> templates = new ArrayList<>();
    switch (kind) {
      case JOB -> templates.add(spec.path("template"));
      case POD_TEMPLATE -> templates.add(object.path("template"));
      case JOB_SET ->
          spec.path("replicatedJobs")
              .forEach(job -> templates.add(job.path("template").path("spec").path("template")));
      case MPI_JOB ->
          spec.path("mpiReplicaSpecs").forEach(replica -> templates.add(replica.path("template")));
      default -> {}
    }
    return templates;
  }
}
