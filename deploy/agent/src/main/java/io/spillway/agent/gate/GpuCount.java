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
          long each = job(replicated.path("template").path("spec"));
          sum = plus(sum, times(replicated.path("replicas").asLong(1), each));
        }
        yield sum;
      }
      case MPI_JOB -> {
        long sum = 0;
        for (JsonNode replica : spec.path("mpiReplicaSpecs")) {
          long each = pod(replica.path("template").path("spec"));
          sum = plus(sum, times(replica.path("replicas").asLong(1), each));
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
    return times(pods, pod(spec.path("template").path("spec")));
  }

  /** Of numbers that are not negative. A product that wraps around could be as small as allowed. */
  static long times(long a, long b) {
    long product = a * b;
    return Math.multiplyHigh(a, b) != 0 || product < 0 ? Long.MAX_VALUE : product;
  }

  static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
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
