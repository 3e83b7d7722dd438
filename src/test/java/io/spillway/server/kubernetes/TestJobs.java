package io.spillway.server.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.server.jobs.JobSpec;
import io.spillway.server.jobs.JobSpecReader;
import java.util.function.Consumer;

/** Jobs, as their users would write them. */
final class TestJobs {
  private static final ObjectMapper JSON = new ObjectMapper();

  private TestJobs() {}

  /** A gang of two whole nodes that needs nothing else. */
  static JobSpec job(Consumer<ObjectNode> change) {
    ObjectNode job = JSON.createObjectNode();
    job.put("name", "llama-ft").put("queue", "research").put("priorityClass", "normal");
    job.put("image", "registry.example/train:1");
    job.putArray("command").add("torchrun").add("train.py");
    job.putArray("args").add("--lr=0.1");
    job.putObject("env").put("EPOCHS", "3");
    job.putObject("labels").put("team", "nlp").put("example.com/sidecar", "yes");
    ObjectNode resources = job.putObject("resources");
    resources.put("nodes", 2).put("gpusPerNode", 8);
    resources.put("cpusPerNode", 90).put("memoryGiBPerNode", 900);
    resources.putArray("gpu").add("nvidia-h100-80gb").add("nvidia-h200-141gb");
    job.put("framework", "pytorch-ddp");
    change.accept(job);
    return JobSpecReader.stored(job.toString());
  }

  static void rdma(ObjectNode job, String wish) {
    job.putObject("network").put("rdma", wish);
  }

  static ObjectNode mount(ObjectNode job, String path) {
    return job.withArray("storage").addObject().put("mountPath", path);
  }
}
