package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.Compilation.Rejected;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.policies.compute.Volume;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Severity;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The part of a Cluster document that only the translation to Kubernetes reads. */
class ClusterComputeTest {

  @ParameterizedTest
  @CsvSource({
    "aws, EKS",
    "azure, AKS",
    "gcp, GKE",
    "oci, OKE",
    "coreweave, COREWEAVE",
    "lambda, K3S",
    "nebius, K3S"
  })
  void a_clusters_kind_is_its_providers_own_unless_it_says_otherwise(
      String provider, ClusterKind kind) {
    assertThat(compute(provider, "").kind()).isEqualTo(kind);
    assertThat(compute(provider, "  kind: k3s\n").kind()).isEqualTo(ClusterKind.K3S);
  }

  @Test
  void nothing_is_allowed_that_is_not_said() {
    ClusterCompute compute = compute("oci", "");
    assertThat(compute.allow()).isEqualTo(ClusterCompute.Allow.NOTHING);
    assertThat(compute.grants()).isEqualTo(ClusterCompute.Grants.NONE);
    assertThat(compute.allow().hostPath("/dev/infiniband")).isFalse();
  }

  @Test
  void an_allowed_path_allows_what_lies_below_it_and_nothing_beside_it() {
    ClusterCompute.Allow allow = compute("oci", "  allow: {hostPath: [/mnt/nvme]}\n").allow();
    assertThat(allow.hostPath("/mnt/nvme")).isTrue();
    assertThat(allow.hostPath("/mnt/nvme/weights")).isTrue();
    assertThat(allow.hostPath("/mnt/nvme2")).isFalse();
    assertThat(allow.hostPath("/mnt")).isFalse();
  }

  @Test
  void weights_are_read_only_and_volumes_are_not_unless_they_say_otherwise() {
    ClusterCompute compute =
        compute(
            "aws",
            """
              volumes: {a: {persistentVolumeClaim: a}, b: {persistentVolumeClaim: b, readOnly: true}}
              weights: {c: {persistentVolumeClaim: c}, d: {persistentVolumeClaim: d, block: {}}}
            """);
    assertThat(compute.grants().volumes().get("a").readOnly()).isFalse();
    assertThat(compute.grants().volumes().get("b").readOnly()).isTrue();
    assertThat(compute.grants().weights().get("c").readOnly()).isTrue();
    assertThat(compute.grants().weights().get("d").source())
        .isEqualTo(new Volume.Device("d", "ext4"));
  }

  @Test
  void buckets_are_reached_from_everywhere_and_claims_only_where_a_store_is_named() {
    ClusterCompute compute =
        compute(
            "aws",
            """
              volumes:
                bucket: {s3: {bucket: lake, prefix: v1/}}
                claim: {persistentVolumeClaim: x}
                same: {persistentVolumeClaim: y, store: team-ckpt}
            """);
    assertThat(compute.grants().volumes().get("bucket").reach()).contains("s3:/lake/v1");
    assertThat(compute.grants().volumes().get("claim").reach()).isEmpty();
    assertThat(compute.grants().volumes().get("same").reach()).contains("team-ckpt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "volumes: {a: {queues: []}}",
        "volumes: {a: {persistentVolumeClaim: a, hostPath: /mnt/a}}",
        "weights: {a: {s3: {bucket: lake}, gcs: {bucket: lake}}}"
      })
  void a_volume_has_exactly_one_source(String odd) {
    assertThat(compiled("aws", "  " + odd + "\n"))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .singleElement()
                    .satisfies(
                        finding -> {
                          assertThat(finding.code()).isEqualTo(FindingCode.MISSING_KEY);
                          assertThat(finding.message()).contains("exactly one of");
                          assertThat(finding.line()).isEqualTo(7);
                        }));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "labels: {spillway.io/attempt: forged}",
        "labels: {a: 'no label value'}",
        "identities: {a: {serviceAccount: 'A B'}}",
        "volumes: {a: {s3: {bucket: lake, prefix: 'a --allow-root'}}}",
        "volumes: {a: {s3: {bucket: lake, endpoint: 'https://x --y'}}}",
        "rdma: {resource: 'rdma/ib: 8'}",
        "kind: nomad"
      })
  void what_kubernetes_or_a_mount_would_not_take_is_refused_at_once(String odd) {
    assertThat(compiled("aws", "  " + odd + "\n")).isInstanceOf(Rejected.class);
  }

  @Test
  void pools_bring_the_labels_of_their_nodes() {
    String pool =
        """
        ---
        apiVersion: spillway.io/v1beta1
        kind: Pool
        metadata: {name: metal}
        spec: {cluster: c, instanceType: BM.GPU.H100.8, nodes: 2, pricePerNodeHour: 80,
          nodeLabels: {spillway.io/pool: metal}, topologyKey: example.com/fabric}
        """;
    ClusterCompute compute = compute("oci", pool);
    assertThat(compute.pools().get(new PoolName("metal")).nodeLabels())
        .containsEntry("spillway.io/pool", "metal");
    assertThat(compute.pools().get(new PoolName("metal")).topologyKey())
        .contains("example.com/fabric");
  }

  private static ClusterCompute compute(String provider, String more) {
    Compilation compilation = compiled(provider, more);
    assertThat(compilation).as("%s", compilation.findings()).isInstanceOf(Compiled.class);
    return ((Compiled) compilation).compute().get(new ClusterName("c"));
  }

  private static Compilation compiled(String provider, String more) {
    String yaml =
        """
        apiVersion: spillway.io/v1beta1
        kind: Cluster
        metadata: {name: c}
        spec:
          provider: %s
          region: here
        """
            .formatted(provider);
    return PolicyCompiler.compile(List.of(new SourceFile("c.yaml", yaml + more)));
  }
}
