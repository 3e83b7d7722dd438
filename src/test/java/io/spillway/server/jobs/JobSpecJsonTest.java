package io.spillway.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.server.json.Faults;
import io.spillway.server.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobSpecJsonTest {
  private static final String FULL =
      """
      {"name": "llama-ft", "queue": "research", "priorityClass": "normal", "preemptible": true,
       "image": "registry.example:5000/a/train:1@sha256:%s", "command": ["torchrun", "train.py"],
       "args": [], "env": {"B": "2", "A": "1"},
       "secrets": [{"env": "HF_TOKEN", "secret": "hf", "key": "token"}],
       "imagePullSecrets": ["regcred"],
       "resources": {"nodes": 2, "gpusPerNode": 8, "gpu": ["nvidia-h200-141gb", "nvidia-h100-80gb"],
                     "cpusPerNode": 96, "memoryGiBPerNode": 900, "sharedMemoryGiB": 32},
       "framework": "pytorch-ddp", "launcher": "torchrun", "network": {"rdma": "required"},
       "storage": [{"mountPath": "/data", "s3": {"bucket": "datasets", "prefix": "v2/",
                    "region": "us-east-2", "readOnly": true}},
                   {"mountPath": "/weights", "weights": "llama-70b"},
                   {"mountPath": "/ckpt", "volume": "team-ckpt"}],
       "identity": "trainer", "checkpoint": {"interval": "600s", "sizeGiB": 50},
       "constraints": {"providers": ["aws"], "regions": [], "clusters": ["c"], "pools": [],
                       "maxPricePerGpuHour": "3.50"},
       "timeout": "24h", "queueTtl": "7d", "dependsOn": [], "array": null, "labels": {"team": "nlp"}}
      """
          .formatted("ab".repeat(32));

  @Test
  void what_is_written_reads_back_as_the_same_specification() {
    JobSpec spec = read(FULL).orElseThrow();
    JobSpec again = JobSpecReader.stored(JobSpecJson.write(spec));
    assertThat(again).isEqualTo(spec);
    assertThat(JobSpecJson.write(again)).isEqualTo(JobSpecJson.write(spec));
  }

  @Test
  void the_scheduler_gets_all_that_decides_where_a_job_fits() {
    JobSpec spec = read(FULL).orElseThrow();
    assertThat(spec.order().shape().needs().volumes()).containsExactly("team-ckpt");
    assertThat(spec.order().shape().needs().weights()).containsExactly("llama-70b");
    assertThat(spec.order().shape().needs().secrets()).containsExactly("hf");
    assertThat(spec.order().shape().needs().identity()).contains("trainer");
    assertThat(spec.order().shape().totalGpus()).isEqualTo(16);
    assertThat(spec.order().checkpointInterval()).contains(java.time.Duration.ofMinutes(10));
  }

  @Test
  void two_ways_to_write_the_same_job_have_one_hash_and_another_job_has_another() {
    String shorter =
        """
        {"queue": "q", "name": "a", "image": "i", "resources": {"gpu": ["nvidia-l4-24gb-pcie"]}}
        """;
    String longer =
        """
        {"name": "a", "queue": "q", "image": "i", "preemptible": true, "framework": "single",
         "resources": {"gpu": ["nvidia-l4-24gb-pcie"], "nodes": 1, "gpusPerNode": 1},
         "constraints": {}, "labels": {}, "env": {}, "network": {"rdma": "none"}}
        """;
    assertThat(hash(shorter)).isEqualTo(hash(longer));
    assertThat(hash(shorter.replace("\"a\"", "\"b\""))).isNotEqualTo(hash(shorter));
    assertThat(hash(FULL.replace("600s", "10m"))).isEqualTo(hash(FULL));
    assertThat(hash(FULL.replace("3.50", "3.5"))).isEqualTo(hash(FULL));
  }

  private static String hash(String json) {
    return JobSpecJson.hash(JobSpecJson.write(read(json).orElseThrow()));
  }

  private static Optional<JobSpec> read(String json) {
    Faults faults = new Faults();
    Optional<JobSpec> spec =
        JobSpecReader.read(
            StrictJson.object(json.getBytes(StandardCharsets.UTF_8), 1 << 20), "", faults);
    assertThat(faults.errors()).isEmpty();
    return spec;
  }
}
