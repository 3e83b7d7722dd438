package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.server.kubernetes.Cases.Case;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a job becomes, and why some do not. */
class ManifestTranslationTest {

  @ParameterizedTest
  @EnumSource(ClusterKind.class)
  void equal_placements_give_equal_bytes(ClusterKind kind) {
    List<Case> first = Cases.of(kind);
    List<Case> second = Cases.of(kind);
    for (int i = 0; i < first.size(); i++) {
      assertThat(first.get(i).translated()).isEqualTo(second.get(i).translated());
    }
  }

  @ParameterizedTest
  @EnumSource(ClusterKind.class)
  void keys_are_sorted_at_every_depth(ClusterKind kind) {
    for (Case one : Cases.of(kind)) {
      Objects.of(one.translated()).all().forEach(object -> sorted(one.toString(), object));
    }
  }

  private static void sorted(String at, JsonNode node) {
    List<String> keys = node.properties().stream().map(entry -> entry.getKey()).toList();
    assertThat(keys).as(at).isSorted();
    node.properties().forEach(e -> sorted(at + "/" + e.getKey(), e.getValue()));
    if (node.isArray()) {
      node.forEach(item -> sorted(at, item));
    }
  }

  @Test
  void a_single_job_is_one_job_and_nothing_else() {
    Objects made = Objects.started(ClusterKind.EKS, job -> single(job));
    assertThat(made.kinds()).containsExactly("Job");
    assertThat(made.workload().at("/spec/completions").asInt()).isEqualTo(1);
    assertThat(made.workload().at("/metadata/annotations/spillway.io~1pods").asText())
        .isEqualTo("1");
  }

  @Test
  void a_gang_is_an_indexed_job_whose_members_find_rank_0_by_a_headless_service() {
    Objects made = Objects.started(ClusterKind.EKS, job -> {});
    assertThat(made.kinds()).containsExactly("Service", "Job");
    String name = made.workload().at("/metadata/name").asText();
    JsonNode service = made.all().getFirst();
    assertThat(service.at("/metadata/name").asText()).isEqualTo(name);
    assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
    assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
    assertThat(service.at("/spec/selector/batch.kubernetes.io~1job-name").asText()).isEqualTo(name);
    assertThat(made.workload().at("/spec/completionMode").asText()).isEqualTo("Indexed");
    assertThat(made.workload().at("/spec/parallelism").asInt()).isEqualTo(2);
    assertThat(made.pod().at("/spec/subdomain").asText()).isEqualTo(name);
    assertThat(made.env("PET_MASTER_ADDR")).isEqualTo(name + "-0." + name);
    assertThat(made.env("PET_NNODES")).isEqualTo("2");
    assertThat(made.env("PET_NPROC_PER_NODE")).isEqualTo("8");
    assertThat(name + "-9999").hasSizeLessThanOrEqualTo(63);
  }

  @Test
  void where_the_cluster_has_jobset_the_gang_is_one() {
    TestClusters cluster = TestClusters.of(ClusterKind.EKS);
    Objects made =
        Objects.of(Objects.start(cluster, cluster.ability(TestClusters.JOBSET), job -> {}));
    assertThat(made.kinds()).containsExactly("JobSet");
    String name = made.workload().at("/metadata/name").asText();
    assertThat(made.env("MASTER_ADDR")).isEqualTo(name + "-node-0-0." + name);
    assertThat(made.workload().at("/spec/failurePolicy/maxRestarts").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"mpi, mpi", "deepspeed, mpi", "pytorch-ddp, mpi"})
  void an_mpi_launcher_makes_an_mpi_job(String framework, String launcher) {
    TestClusters cluster = TestClusters.of(ClusterKind.COREWEAVE);
    Objects made =
        Objects.of(
            Objects.start(
                cluster,
                cluster.ability(TestClusters.MPI),
                job -> job.put("framework", framework).put("launcher", launcher)));
    JsonNode spec = made.workload().path("spec");
    assertThat(made.workload().path("kind").asText()).isEqualTo("MPIJob");
    assertThat(spec.at("/runPolicy/cleanPodPolicy").asText()).isEqualTo("Running");
    assertThat(spec.path("slotsPerWorker").isInt()).isTrue();
    assertThat(spec.at("/mpiReplicaSpecs/Worker/replicas").asInt()).isEqualTo(2);
    assertThat(made.workload().at("/metadata/annotations/spillway.io~1pods").asText())
        .isEqualTo("3");
    JsonNode launching = spec.at("/mpiReplicaSpecs/Launcher/template/spec/containers/0");
    assertThat(launching.path("command").get(0).asText()).isEqualTo("torchrun");
    assertThat(launching.at("/resources/limits").isMissingNode()).isTrue();
  }

  @Test
  void without_the_operator_an_mpi_job_is_refused_and_the_detail_names_what_is_missing() {
    TestClusters cluster = TestClusters.of(ClusterKind.EKS);
    assertThat(Objects.start(cluster, cluster.ability(), job -> job.put("framework", "mpi")))
        .isInstanceOfSatisfying(
            Translated.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(RefusalCode.MPI_OPERATOR_MISSING);
              assertThat(refused.text()).contains("kubeflow.org/v2beta1", "MPI operator");
            });
  }

  @Test
  void loss_of_infrastructure_ends_the_attempt_at_once_and_apart_from_exit_codes() {
    JsonNode spec = Objects.started(ClusterKind.GKE, job -> {}).workload().path("spec");
    JsonNode rule = spec.at("/podFailurePolicy/rules/0");
    assertThat(rule.path("action").asText()).isEqualTo("FailJob");
    assertThat(rule.at("/onPodConditions/0/type").asText()).isEqualTo("DisruptionTarget");
    assertThat(spec.at("/podFailurePolicy/rules")).hasSize(1);
    assertThat(spec.path("backoffLimit").asInt(-1)).isZero();
    assertThat(spec.path("podReplacementPolicy").asText()).isEqualTo("Failed");
    assertThat(spec.at("/template/spec/restartPolicy").asText()).isEqualTo("Never");
  }

  @ParameterizedTest
  @CsvSource({
    "EKS, 110, 300",
    "AKS, 25, 300",
    "GKE, 15, 300",
    "COREWEAVE, 50, 300",
  })
  void the_grace_fits_the_notice_that_the_provider_gives(ClusterKind kind, int spot, int calm) {
    TestClusters cluster = TestClusters.of(kind);
    Objects taken = Objects.of(Objects.start(cluster, cluster.spot(), job -> {}));
    Objects kept = Objects.started(kind, job -> {});
    assertThat(taken.pod().at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(spot);
    assertThat(taken.env("SPILLWAY_GRACE_SECONDS")).isEqualTo(Integer.toString(spot));
    assertThat(taken.env("SPILLWAY_CHECKPOINT_SIGNAL")).isEqualTo("SIGTERM");
    assertThat(kept.pod().at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(calm);
  }

  @ParameterizedTest
  @EnumSource(ClusterKind.class)
  void spot_taints_are_borne_only_on_spot(ClusterKind kind) {
    List<String> spot =
        List.of(
            "kubernetes.azure.com/scalesetpriority",
            "cloud.google.com/gke-spot",
            "oci.oraclecloud.com/oke-is-preemptible",
            "qos.coreweave.cloud/interruptable");
    TestClusters written =
        TestClusters.of(
            kind,
            yaml ->
                yaml.replace(
                    "  priorityClass: gpu\n",
                    "  priorityClass: gpu\n"
                        + (yaml.contains("  tolerations:")
                            ? ""
                            : "  tolerations: [{key: cloud.google.com/gke-spot, operator: Exists}]\n")
                        + "  spotTolerations: [{key: example.com/cheap, operator: Exists}]\n"));
    assertThat(tolerated(Objects.started(kind, job -> {}))).doesNotContainAnyElementsOf(spot);
    assertThat(tolerated(Objects.of(Objects.start(written, written.fast(), job -> {}))))
        .doesNotContainAnyElementsOf(spot)
        .doesNotContain("example.com/cheap");
    Consumer<ObjectNode> small = kind == ClusterKind.OKE ? Cases::small : job -> {};
    assertThat(tolerated(Objects.of(Objects.start(written, written.spot(), small))))
        .containsAll(spot)
        .contains("example.com/cheap")
        .doesNotContain("node.coreweave.cloud/evict", "karpenter.sh/disrupted");
  }

  @Test
  void classes_that_the_policy_names_must_be_there() {
    TestClusters cluster =
        TestClusters.of(
            ClusterKind.EKS, yaml -> yaml.replace("priorityClass: gpu", "priorityClass: gold"));
    assertThat(Objects.start(cluster, cluster.ability(), job -> {}))
        .isInstanceOfSatisfying(
            Translated.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(RefusalCode.PRIORITY_CLASS_MISSING));
    TestClusters other =
        TestClusters.of(
            ClusterKind.EKS, yaml -> yaml.replace("priorityClass: gpu", "runtimeClass: gvisor"));
    assertThat(Objects.start(other, other.ability(), job -> {}))
        .isInstanceOfSatisfying(
            Translated.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(RefusalCode.RUNTIME_CLASS_MISSING));
    assertThat(
            Objects.started(ClusterKind.K3S, job -> {}).pod().at("/spec/runtimeClassName").asText())
        .isEqualTo("nvidia");
  }

  @Test
  void policys_labels_and_tolerations_are_on_every_pod_and_users_labels_in_a_domain_of_their_own() {
    Objects made = Objects.started(ClusterKind.EKS, job -> {});
    JsonNode labels = made.pod().at("/metadata/labels");
    assertThat(labels.path("example.com/cost-centre").asText()).isEqualTo("ml");
    assertThat(labels.path("labels.spillway.io/team").asText()).isEqualTo("nlp");
    assertThat(labels.has("example.com/sidecar")).isFalse();
    assertThat(labels.has("team")).isFalse();
    assertThat(tolerated(made)).startsWith("example.com/team", "nvidia.com/gpu");
    assertThat(labels.path("spillway.io/attempt").asText())
        .isEqualTo("01HZYJ5Q6V7W8X9Y0ZABCDEFGH-2");
    assertThat(labels.path("spillway.io/part").asText()).isEqualTo("member");
    assertThat(made.workload().at("/metadata/namespace").asText()).isEqualTo("spillway-research");
  }

  @Test
  void a_user_cannot_show_himself_gpus_that_he_did_not_ask_for() {
    Objects made =
        Objects.started(
            ClusterKind.K3S,
            job -> ((ObjectNode) job.path("env")).put("NVIDIA_VISIBLE_DEVICES", "all"));
    assertThat(made.container().path("env"))
        .extracting(variable -> variable.path("name").asText())
        .doesNotContain("NVIDIA_VISIBLE_DEVICES")
        .contains("NVIDIA_DRIVER_CAPABILITIES");
  }

  @Test
  void a_hold_keeps_as_many_nodes_of_the_same_kind_below_the_workloads_priority() {
    TestClusters cluster = TestClusters.of(ClusterKind.EKS);
    Objects held =
        Objects.of(
            ManifestTranslation.hold(
                Objects.placement(
                    cluster, cluster.fast(), cluster.ability(), TestJobs.job(job -> {}))));
    JsonNode job = held.byRole("hold");
    assertThat(job.at("/spec/parallelism").asInt()).isEqualTo(2);
    JsonNode pod = job.at("/spec/template");
    assertThat(pod.at("/metadata/labels/spillway.io~1part").asText()).isEqualTo("placeholder");
    assertThat(pod.at("/spec/priorityClassName").asText()).isEqualTo("spillway-placeholder");
    assertThat(pod.at("/spec/nodeSelector"))
        .isEqualTo(Objects.started(ClusterKind.EKS, j -> {}).pod().at("/spec/nodeSelector"));
    assertThat(pod.at("/spec/containers/0/resources/limits/nvidia.com~1gpu").asText())
        .isEqualTo("8");
  }

  @Test
  void
      ARM_11_what_a_retry_creates_in_the_cluster_does_not_collide_with_what_the_last_attempt_left() {
    TestClusters cluster = TestClusters.of(ClusterKind.EKS);
    Placement second =
        Objects.placement(
            cluster,
            cluster.fast(),
            cluster.ability(),
            TestJobs.job(
                job -> {
                  job.put("identity", "trainer");
                  TestJobs.mount(job, "/lake").put("volume", "lake");
                }));
    Placement third =
        new Placement(
            new AttemptId(second.attempt().job(), 3),
            second.job(),
            second.offering(),
            second.node(),
            second.site(),
            List.of(),
            List.of());
    assertThat(identities(second)).hasSize(4).doesNotContainAnyElementsOf(identities(third));
    assertThat(second.attempt()).isNotEqualTo(third.attempt());
  }

  /** Kind and name of what belongs to the attempt, and the handles of its volumes. */
  private static List<String> identities(Placement placement) {
    return Objects.of(ManifestTranslation.start(placement)).all().stream()
        .filter(o -> o.at("/metadata/labels").has("spillway.io/attempt"))
        .map(
            o ->
                o.path("kind").asText()
                    + o.at("/metadata/name").asText()
                    + o.at("/spec/csi/volumeHandle").asText())
        .toList();
  }

  static void single(ObjectNode job) {
    job.put("framework", "single");
    ((ObjectNode) job.path("resources")).put("nodes", 1);
  }

  private static List<String> tolerated(Objects made) {
    List<String> keys = new java.util.ArrayList<>();
    made.pod().at("/spec/tolerations").forEach(one -> keys.add(one.path("key").asText()));
    return keys;
  }
}
