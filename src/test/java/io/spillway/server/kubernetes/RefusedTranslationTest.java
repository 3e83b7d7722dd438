package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.server.jobs.JobSpec;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot run somewhere is said so, by a code and a sentence. */
class RefusedTranslationTest {

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("refusals")
  void what_a_cluster_cannot_give_is_refused_by_its_own_code(
      RefusalCode code,
      ClusterKind kind,
      UnaryOperator<String> policy,
      Consumer<ObjectNode> job,
      String detail) {
    TestClusters cluster = TestClusters.of(kind, policy);
    Translated made =
        ManifestTranslation.start(
            Objects.placement(cluster, cluster.fast(), cluster.ability(), TestJobs.job(job)));
    assertThat(made)
        .isInstanceOfSatisfying(
            Translated.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.detail()).contains(detail);
            });
    assertThat(
            ManifestTranslation.hold(
                Objects.placement(cluster, cluster.fast(), cluster.ability(), TestJobs.job(job))))
        .as("and no nodes are held for it")
        .isEqualTo(made);
  }

  static Stream<Arguments> refusals() {
    Consumer<ObjectNode> rdma = job -> TestJobs.rdma(job, "required");
    return Stream.of(
        refusal(
            RefusalCode.IDENTITY_NOT_GRANTED,
            ClusterKind.EKS,
            yaml ->
                yaml.replace("role/trainer\"}, queues: [research]", "role/trainer\"}, queues: []"),
            job -> job.put("identity", "trainer"),
            "'trainer'"),
        refusal(
            RefusalCode.VOLUME_NOT_GRANTED,
            ClusterKind.EKS,
            yaml -> yaml,
            job -> TestJobs.mount(job, "/x").put("volume", "other"),
            "'other'"),
        refusal(
            RefusalCode.WEIGHTS_NOT_GRANTED,
            ClusterKind.EKS,
            yaml -> yaml,
            job -> TestJobs.mount(job, "/x").put("weights", "other"),
            "'other'"),
        refusal(
            RefusalCode.SECRET_NOT_GRANTED,
            ClusterKind.EKS,
            yaml -> yaml,
            job ->
                job.withArray("secrets")
                    .addObject()
                    .put("env", "A")
                    .put("secret", "other")
                    .put("key", "k"),
            "'other'"),
        refusal(
            RefusalCode.PULL_SECRET_NOT_GRANTED,
            ClusterKind.EKS,
            yaml ->
                yaml.replace("  region: us-east-2\n", "  region: us-east-2\n  namespace: jobs\n"),
            job -> job.withArray("imagePullSecrets").add("somebodys"),
            "'somebodys'"),
        refusal(
            RefusalCode.PRIVILEGED_NOT_ALLOWED,
            ClusterKind.OKE,
            yaml -> yaml.replace("privileged: true", "privileged: false"),
            rdma,
            "privileged container"),
        refusal(
            RefusalCode.HOST_NETWORK_NOT_ALLOWED,
            ClusterKind.OKE,
            yaml -> yaml.replace("hostNetwork: true", "hostNetwork: false"),
            rdma,
            "host's network"),
        refusal(
            RefusalCode.HOST_PATH_NOT_ALLOWED,
            ClusterKind.OKE,
            yaml -> yaml.replace("/dev/infiniband, ", ""),
            rdma,
            "/dev/infiniband"),
        refusal(
            RefusalCode.HOST_PATH_NOT_ALLOWED,
            ClusterKind.GKE,
            yaml -> yaml.replace("/home/kubernetes/bin", "/home/kubernetes/bin2"),
            rdma,
            "/home/kubernetes/bin/gib"),
        refusal(
            RefusalCode.HOST_PATH_NOT_ALLOWED,
            ClusterKind.K3S,
            yaml -> yaml.replace(", /mnt/local]", "]"),
            job -> TestJobs.mount(job, "/w").put("weights", "llama"),
            "/mnt/local/weights"),
        refusal(
            RefusalCode.NEEDS_WHOLE_NODES,
            ClusterKind.OKE,
            yaml -> yaml,
            job -> {
              TestJobs.rdma(job, "required");
              ((ObjectNode) job.path("resources")).put("gpusPerNode", 4);
            },
            "all GPUs"),
        refusal(
            RefusalCode.NO_FABRIC,
            ClusterKind.EKS,
            yaml -> yaml.replace(", fabric: {type: efa, placementGroup: pg-1}", ""),
            rdma,
            "no fabric"),
        refusal(
            RefusalCode.STORAGE_NEEDS_IDENTITY,
            ClusterKind.GKE,
            yaml -> yaml,
            job -> TestJobs.mount(job, "/lake").put("volume", "lake"),
            "must name one"),
        refusal(
            RefusalCode.STORAGE_NEEDS_IDENTITY,
            ClusterKind.COREWEAVE,
            yaml -> yaml.replace("driverIdentity: true", "driverIdentity: false"),
            job -> TestJobs.mount(job, "/lake").put("volume", "lake"),
            "allow.driverIdentity"),
        refusal(
            RefusalCode.CSI_DRIVER_MISSING,
            ClusterKind.AKS,
            yaml -> yaml,
            job ->
                TestJobs.mount(job, "/data")
                    .putObject("s3")
                    .put("bucket", "datasets")
                    .put("region", "us-east-2"),
            "s3.csi.aws.com"),
        refusal(
            RefusalCode.STORAGE_SOURCE,
            ClusterKind.EKS,
            yaml -> yaml,
            job ->
                TestJobs.mount(job, "/data")
                    .putObject("s3")
                    .put("bucket", "datasets")
                    .put("prefix", "a --allow-root"),
            "one word"),
        refusal(
            RefusalCode.STORAGE_NEEDS_COMMAND,
            ClusterKind.OKE,
            yaml -> yaml,
            job -> {
              job.putArray("command");
              TestJobs.mount(job, "/weights").put("weights", "block");
            },
            "must say its command"),
        refusal(
            RefusalCode.STORAGE_PATH,
            ClusterKind.GKE,
            yaml -> yaml,
            job -> {
              TestJobs.rdma(job, "required");
              TestJobs.mount(job, "/usr/local/gib").put("volume", "ckpt");
            },
            "/usr/local/gib"));
  }

  @Test
  void rdma_that_is_only_preferred_does_without_what_the_policy_does_not_allow() {
    TestClusters cluster =
        TestClusters.of(
            ClusterKind.OKE, yaml -> yaml.replace("privileged: true", "privileged: false"));
    Objects made =
        Objects.of(
            ManifestTranslation.start(
                Objects.placement(
                    cluster,
                    cluster.fast(),
                    cluster.ability(),
                    TestJobs.job(job -> TestJobs.rdma(job, "preferred")))));
    assertThat(made.pod().at("/spec/hostNetwork").isMissingNode()).isTrue();
    assertThat(made.container().at("/securityContext/privileged").isMissingNode()).isTrue();
    assertThat(made.env("NCCL_IB_HCA")).isEmpty();
  }

  @Test
  void machines_of_google_without_rdma_are_not_taken_for_such() {
    TestClusters cluster = TestClusters.of(ClusterKind.GKE);
    Translated made =
        ManifestTranslation.start(
            Objects.placement(
                cluster,
                cluster.offering("us-central1-b~a3-megagpu-8g~spot"),
                cluster.ability(),
                TestJobs.job(job -> TestJobs.rdma(job, "required"))));
    assertThat(made)
        .isInstanceOfSatisfying(
            Translated.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(RefusalCode.FABRIC_UNKNOWN);
              assertThat(refused.detail()).contains("TCPXO");
            });
  }

  @Test
  void checkpoints_go_along_only_where_the_volume_is_the_same_store() {
    TestClusters ohio = TestClusters.of(ClusterKind.EKS);
    JobSpec saves =
        TestJobs.job(
            job -> {
              job.putObject("checkpoint").put("interval", "10m");
              TestJobs.mount(job, "/ckpt").put("volume", "ckpt");
            });
    TestClusters reaches = TestClusters.of(ClusterKind.OKE);
    TestClusters apart =
        TestClusters.of(ClusterKind.OKE, yaml -> yaml.replace("store: team-ckpt", "store: mine"));
    assertThat(after(ohio.compute(), reaches, saves)).isInstanceOf(Translated.Manifests.class);
    assertThat(after(ohio.compute(), apart, saves))
        .isInstanceOfSatisfying(
            Translated.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(RefusalCode.CHECKPOINTS_OUT_OF_REACH);
              assertThat(refused.detail()).contains("eks-ohio", "'ckpt'", "oke-frankfurt");
            });
    assertThat(after(apart.compute(), apart, saves))
        .as("the same cluster reaches its own volume")
        .isInstanceOf(Translated.Manifests.class);
    JobSpec forgets = TestJobs.job(job -> TestJobs.mount(job, "/ckpt").put("volume", "ckpt"));
    assertThat(after(ohio.compute(), apart, forgets))
        .as("a job without checkpoints begins anew anywhere")
        .isInstanceOf(Translated.Manifests.class);
  }

  private static Translated after(ClusterCompute before, TestClusters now, JobSpec job) {
    Placement p = Objects.placement(now, now.fast(), now.ability(), job);
    return ManifestTranslation.start(
        new Placement(
            p.attempt(), job, p.offering(), p.node(), p.site(), List.of(), List.of(before)));
  }

  private static Arguments refusal(
      RefusalCode code,
      ClusterKind kind,
      UnaryOperator<String> policy,
      Consumer<ObjectNode> job,
      String detail) {
    return Arguments.of(code, kind, policy, job, detail);
  }
}
