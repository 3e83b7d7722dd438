package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.server.kubernetes.Cases.Case;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** On which nodes an attempt may run. */
class NodeChoiceTest {

  @Test
  void quarantined_nodes_are_excluded_by_their_names() {
    Case one =
        Cases.of(ClusterKind.EKS).stream()
            .filter(c -> c.name().equals("quarantine"))
            .findFirst()
            .orElseThrow();
    JsonNode fields =
        Objects.of(one.translated())
            .pod()
            .at(
                "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                    + "/nodeSelectorTerms/0/matchFields");
    assertThat(fields).hasSize(2);
    assertThat(fields.get(0).path("key").asText()).isEqualTo("metadata.name");
    assertThat(fields.get(0).path("operator").asText()).isEqualTo("NotIn");
    assertThat(fields.get(0).path("values").get(0).asText()).isEqualTo("gpu-3");
  }

  @Test
  void zones_of_oci_match_nodes_that_write_them_in_the_other_case() {
    JsonNode zone =
        Objects.started(ClusterKind.OKE, job -> {})
            .pod()
            .at(
                "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                    + "/nodeSelectorTerms/0/matchExpressions/0");
    assertThat(zone.path("key").asText()).isEqualTo("topology.kubernetes.io/zone");
    assertThat(zone.path("values"))
        .extracting(JsonNode::asText)
        .containsExactly("EU-FRANKFURT-1-AD-1", "eu-frankfurt-1-ad-1");
  }

  @Test
  void nodes_of_eks_without_karpenter_are_chosen_by_its_own_label() {
    TestClusters cluster = TestClusters.of(ClusterKind.EKS);
    ClusterAbility groups =
        new ClusterAbility(
            TestClusters.names("v1", "batch/v1"),
            cluster.ability().csiDrivers(),
            cluster.ability().priorityClasses(),
            cluster.ability().resources(),
            cluster.ability().runtimeClasses());
    JsonNode pod = Objects.of(Objects.start(cluster, groups, job -> {})).pod();
    assertThat(pod.at("/spec/nodeSelector/eks.amazonaws.com~1capacityType").asText())
        .isEqualTo("ON_DEMAND");
    assertThat(pod.at("/spec/nodeSelector").has("karpenter.sh/capacity-type")).isFalse();
    assertThat(pod.at("/metadata/annotations").has("karpenter.sh/do-not-disrupt")).isFalse();
  }

  @Test
  void labels_that_the_policy_writes_take_the_place_of_the_usual_ones() {
    TestClusters cluster =
        TestClusters.of(
            ClusterKind.EKS,
            yaml ->
                yaml.replace(
                    "  priorityClass: gpu\n",
                    """
                      priorityClass: gpu
                      instanceTypeLabel: example.com/machine
                      nodeSelector: {example.com/tenant: ml}
                      capacityTypeLabels: {on-demand: {example.com/market: full}}
                    """));
    JsonNode selector =
        Objects.of(Objects.start(cluster, cluster.ability(), job -> {}))
            .pod()
            .at("/spec/nodeSelector");
    assertThat(selector.path("example.com/machine").asText()).isEqualTo("p5.48xlarge");
    assertThat(selector.path("example.com/tenant").asText()).isEqualTo("ml");
    assertThat(selector.path("example.com/market").asText()).isEqualTo("full");
    assertThat(selector.has("karpenter.sh/capacity-type")).isFalse();
    assertThat(selector.has("node.kubernetes.io/instance-type")).isFalse();
  }

  @Test
  void a_fabric_is_kept_by_labels_of_its_nodes_or_by_a_topology_never_by_neither() {
    Consumer<ObjectNode> rdma = job -> TestJobs.rdma(job, "required");
    String pool = "/spec/nodeSelector/example.com~1pool";
    String together = "/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    JsonNode byLabels = Objects.started(ClusterKind.OKE, rdma).pod();
    assertThat(byLabels.at(pool).asText()).isEqualTo("h100");
    assertThat(byLabels.at(together).isMissingNode()).isTrue();
    TestClusters unlabelled =
        TestClusters.of(
            ClusterKind.OKE, yaml -> yaml.replace("  nodeLabels: {example.com/pool: h100}\n", ""));
    JsonNode byTopology = Objects.of(Objects.start(unlabelled, unlabelled.fast(), rdma)).pod();
    assertThat(byTopology.at(together).path(0).path("topologyKey").asText())
        .isEqualTo("oci.oraclecloud.com/rdma.hpc_island_id");
    assertThat(byTopology.at(together).path(0).at("/labelSelector/matchExpressions/0/values"))
        .extracting(JsonNode::asText)
        .containsExactly("member", "placeholder");
    // Two nodes whose topology nobody told share a value of the label, and no fabric.
    JsonNode known =
        byTopology.at(
            "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                + "/nodeSelectorTerms/0/matchExpressions");
    assertThat(known)
        .anySatisfy(
            one -> {
              assertThat(one.path("key").asText())
                  .isEqualTo("oci.oraclecloud.com/rdma.hpc_island_id");
              assertThat(one.path("operator").asText()).isEqualTo("NotIn");
              assertThat(one.path("values").path(0).asText()).isEqualTo("no-imds-data");
            });
  }

  @Test
  void an_attempt_runs_on_the_nodes_of_its_own_market() {
    TestClusters cluster =
        TestClusters.of(
            ClusterKind.EKS,
            yaml ->
                yaml.replaceFirst(
                    "    - \\{instanceType: p5[^\n]*\n",
                    """
                        - {instanceType: p5.48xlarge, capacityTypes: [spot], zones: [use2-az1], maxNodes: 8, nodeLabels: {example.com/pool: p5-spot}}
                        - {instanceType: p5.48xlarge, capacityTypes: [on-demand], zones: [use2-az1], maxNodes: 8, nodeLabels: {example.com/pool: p5-full}}
                    """));
    String pool = "/spec/nodeSelector/example.com~1pool";
    JsonNode full = Objects.of(Objects.start(cluster, cluster.fast(), job -> {})).pod();
    assertThat(full.at(pool).asText()).isEqualTo("p5-full");
    JsonNode spot = Objects.of(Objects.start(cluster, cluster.spot(), job -> {})).pod();
    assertThat(spot.at(pool).asText()).isEqualTo("p5-spot");
  }

  @Test
  void a_place_is_kept_on_a_node_that_has_the_devices_of_the_fabric() {
    TestClusters cluster = TestClusters.of(ClusterKind.EKS);
    Objects held =
        Objects.of(
            ManifestTranslation.hold(
                Objects.placement(
                    cluster,
                    cluster.fast(),
                    cluster.ability(),
                    TestJobs.job(job -> TestJobs.rdma(job, "required")))));
    JsonNode container = held.byRole("hold").at("/spec/template/spec/containers/0");
    assertThat(container.at("/resources/limits/vpc.amazonaws.com~1efa").asText()).isEqualTo("32");
    assertThat(container.at("/resources/limits/hugepages-2Mi").asText()).isEqualTo("5120Mi");
    assertThat(container.at("/securityContext").has("capabilities")).isFalse();
  }

  @Test
  void oci_bare_metal_is_not_spot_but_its_preemptible_machines_get_their_notice() {
    TestClusters cluster = TestClusters.of(ClusterKind.OKE);
    Objects made = Objects.of(Objects.start(cluster, cluster.spot(), Cases::small));
    assertThat(made.pod().at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(110);
    assertThat(made.pod().at("/spec/nodeSelector/oci.oraclecloud.com~1oke-is-preemptible").asText())
        .isEqualTo("true");
  }
}
