package io.spillway.standalone;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs of the demo.
 *
 * @param queue that takes them
 * @param gpu model that they ask for
 * @param gpusPerNode of a node of the market's machines
 * @param gangs whether some take two nodes
 */
record ExampleJobs(String queue, String gpu, int gpusPerNode, boolean gangs) {
  private static final List<String> NAMES =
      List.of("llama-ft", "diffusion", "embed", "rank", "whisper", "protein");

  /** For the example policies of the standalone. */
  static ExampleJobs standard() {
    return new ExampleJobs("research", "nvidia-h100-80gb", 8, true);
  }

  /** Six jobs in the first round, two in each later one. */
  List<Map<String, Object>> ofRound(int round) {
    int count = round == 1 ? 6 : 2;
    List<Map<String, Object>> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = NAMES.get((round * 2 + i) % NAMES.size());
      boolean gang = gangs && i % 3 == 2;
      // Long enough to be interrupted, short enough to see them end.
      jobs.add(job(name + '-' + round + '-' + (i + 1), gang ? 2 : 1, 25 + 10 * i));
    }
    return jobs;
  }

  private Map<String, Object> job(String name, int nodes, int seconds) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", name);
    job.put("queue", queue);
    job.put("image", "registry.example/train:1");
    job.put("command", List.of("torchrun", "train.py"));
    job.put("env", Map.of("SIM_RUN_SECONDS", Integer.toString(seconds)));
    job.put("resources", Map.of("nodes", nodes, "gpusPerNode", gpusPerNode, "gpu", List.of(gpu)));
    return job;
  }
}
