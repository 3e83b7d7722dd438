package io.spillway.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFilesTest {
  private static final Path EXAMPLE = Installation.find().policies("standalone");

  @TempDir Path directory;

  @Test
  void the_example_tells_clusters_pools_and_one_account_per_provider() throws IOException {
    PolicyFiles policies = new PolicyFiles(EXAMPLE);
    assertThat(policies.clusters()).contains("eks-ohio", "gke-iowa", "nebius-eu", "oke-frankfurt");
    assertThat(policies.accounts())
        .contains(
            new PolicyFiles.Account("aws-demo", "aws"), new PolicyFiles.Account("oci-demo", "oci"));
    Map<String, Object> ohio = policies.clusterSpec("eks-ohio");
    assertThat(ohio.get("region")).isEqualTo("us-east-2");
    assertThat((List<?>) ohio.get("capacity"))
        .singleElement()
        .isEqualTo(
            Map.of(
                "instanceType",
                "p5.48xlarge",
                "capacityTypes",
                List.of("spot", "on-demand"),
                "zones",
                List.of("use2-az1", "use2-az2"),
                "maxNodes",
                32,
                "fabricType",
                "efa",
                "fabricName",
                "p5-ohio"));
    assertThat((List<?>) ohio.get("pools")).hasSize(1);
    assertThat((List<?>) policies.clusterSpec("oke-frankfurt").get("capacity")).isEmpty();
  }

  @Test
  void one_account_name_for_two_providers_is_refused() throws IOException {
    Files.writeString(
        directory.resolve("clusters.yaml"),
        """
        kind: Cluster
        metadata: {name: a}
        spec: {provider: aws, account: demo, region: r}
        ---
        kind: Cluster
        metadata: {name: b}
        spec: {provider: gcp, account: demo, region: r}
        """);
    PolicyFiles policies = new PolicyFiles(directory);
    assertThatThrownBy(policies::accounts).hasMessageContaining("demo");
  }

  @Test
  void a_replay_has_a_cluster_in_every_recorded_region_and_a_pool_to_fail_over_to()
      throws IOException {
    Files.writeString(
        directory.resolve("x_counts.csv"),
        "utc,us-central1-a,us-central1-b,us-east4-a\n2025-01-01T00:00:00Z,1,2,3\n");
    Path out = directory.resolve("policies");
    TracePolicies.of(directory).write(out);
    PolicyFiles policies = new PolicyFiles(out);
    assertThat(policies.clusters()).containsExactly("gcp-us-central1", "gcp-us-east4");
    assertThat(policies.queues()).containsExactly("research");
    assertThat(policies.clusterSpec("gcp-us-central1").toString())
        .contains("us-central1-a, us-central1-b", "name=reserved", "a3-highgpu-1g");
  }

  @Test
  void a_folder_without_traces_is_refused() {
    assertThatThrownBy(() -> TracePolicies.of(directory)).hasMessageContaining("no traces");
  }
}
