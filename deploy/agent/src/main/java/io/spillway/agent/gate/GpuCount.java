package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.agent.kube.Kind;
import java.util.List;

/** How many GPUs objects ask for, whose shape has been checked. Saturates. */
final class GpuCount {
  private static final List<String> GPUS = List.of("nvidia.com/gpu", "amd.com/gpu");

  private GpuCount() {}

  static long of(Kind kind, JsonNode object) throws RefusedException {
    JsonNode spec = object.path("spec");
    return switch (kind) {
      case JOB -> job(spec);
      case JOB_SET -> {
        long sum = 0;
        for (JsonNode replicated : spec.path("replicatedJobs")) {
          sum +=
              replicated.path("replicas").asLong(1) * job(replicated.path("template").path("spec"));
        }
        yield sum;
      }
      case MPI_JOB -> {
        long sum = 0;
        for (JsonNode replica : spec.path("mpiReplicaSpecs")) {
          sum += replica.path("replicas").asLong(1) * pod(replica.path("template").path("spec"));
        }
        yield sum;
      }
      case POD -> pod(spec);
      case POD_TEMPLATE -> pod(object.path("template").path("spec"));
      default -> 0;
    };
  }

  /** How often a request asks for its pod template. */
  static long pods(JsonNode request) {
    long count = 0;
    for (JsonNode set : request.path("spec").path("podSets")) {
      count += set.path("count").asLong();
    }
    return count;
  }

  private static long job(JsonNode spec) throws RefusedException {
    long pods = Math.max(spec.path("completions").asLong(1), spec.path("parallelism").asLong(1));
    return pods * pod(spec.path("template").path("spec"));
  }

  private static long pod(JsonNode spec) throws RefusedException {
    long sum = 0;
    for (JsonNode container : spec.path("containers")) {
      for (String gpu : GPUS) {
        JsonNode limit = container.path("resources").path("limits").path(gpu);
        JsonNode request = container.path("resources").path("requests").path(gpu);
        sum += Math.max(amount(gpu, limit), amount(gpu, request));
      }
    }
    return sum;
  }

  private static long amount(String gpu, JsonNode node) throws RefusedException {
    if (node.isMissingNode()) {
      return 0;
    }
    if (!node.asText().matches("\\d{1,4}")) {
      throw new RefusedException(gpu + ": " + Shape.printable(node.toString()) + " of them");
    }
    return Long.parseLong(node.asText());
  }
}
