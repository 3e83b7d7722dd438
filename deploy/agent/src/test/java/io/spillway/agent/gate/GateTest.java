package io.spillway.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
  private static final int HOSTILE = 10_000;
  private final Gate gate = new Gate(Honest.CLUSTER, Honest.RULES);

  private Gate.Verdict check(Gate with, ObjectNode object) {
    Gate.Command command = Honest.command(object);
    List<byte[]> manifests = new ArrayList<>();
    manifests.add(bytes(object));
    boolean needsWorkload =
        command == Gate.Command.START
            && !object.at("/metadata/labels/spillway.io~1role").asText().equals("workload");
    if (needsWorkload) {
      manifests.add(bytes(Honest.of("Job")));
    }
    return with.check(Honest.ATTEMPT, command, manifests);
  }

  private static byte[] bytes(ObjectNode object) {
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }

  private String refusal(Gate with, ObjectNode object) {
    return check(with, object) instanceof Gate.Refused no ? no.reason() : "admitted";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Job",
        "JobSet",
        "MPIJob",
        "Service",
        "ConfigMap",
        "PersistentVolumeClaim",
        "PersistentVolume",
        "ServiceAccount",
        "Pod",
        "PodTemplate",
        "ProvisioningRequest"
      })
  void an_honest_manifest_of_each_kind_passes(String kind) {
    assertThat(refusal(gate, Honest.of(kind))).isEqualTo("admitted");
  }

  @Test
  void no_hostile_manifest_of_ten_thousand_passes() {
    long seed = Long.getLong("spillway.seed", System.nanoTime());
    for (int i = 0; i < HOSTILE; i++) {
      byte[] manifest = Hostility.manifest(new Random(seed + i));
      for (Gate.Command command : Gate.Command.values()) {
        List<byte[]> all = new ArrayList<>(List.of(manifest));
        assertThat(gate.check(Honest.ATTEMPT, command, all))
            .as(
                "-Dspillway.seed=%d, manifest 0: %s",
                seed + i, new String(manifest, StandardCharsets.UTF_8))
            .isInstanceOf(Gate.Refused.class);
        all.add(bytes(Honest.of("Job")));
        assertThat(gate.check(Honest.ATTEMPT, command, all))
            .as("-Dspillway.seed=%d, manifest 0, beside an honest one", seed + i)
            .isInstanceOf(Gate.Refused.class);
      }
    }
  }

  @Test
  void what_a_clusters_rules_allow_passes_there_and_nowhere_else() {
    ObjectNode job = Honest.of("Job");
    ObjectNode pod = (ObjectNode) job.at("/spec/template/spec");
    pod.put("hostNetwork", true).put("dnsPolicy", "ClusterFirstWithHostNet");
    ((ObjectNode) pod.at("/containers/0/securityContext")).put("privileged", true);
    assertThat(refusal(gate, job)).contains("privileged");
    ((ObjectNode) pod.at("/containers/0/securityContext")).put("privileged", false);
    assertThat(refusal(gate, job)).contains("hostNetwork");
    ((ObjectNode) pod.at("/containers/0/securityContext")).put("privileged", true);
    GateRules bare =
        new GateRules(
            Honest.RULES.kinds(),
            Honest.RULES.namespaces(),
            Honest.RULES.serviceAccounts(),
            Honest.RULES.registries(),
            true,
            Honest.RULES.hostPaths(),
            true,
            Honest.RULES.maxGpus(),
            Honest.RULES.priorityClasses(),
            Honest.RULES.runtimeClasses());
    assertThat(refusal(new Gate(Honest.CLUSTER, bare), job)).isEqualTo("admitted");
  }

  @Test
  void gpus_are_counted_over_all_pods_of_a_command() {
    ObjectNode job = Honest.of("Job");
    ((ObjectNode) job.get("spec")).put("completions", 8).put("parallelism", 8);
    assertThat(refusal(gate, job)).isEqualTo("admitted");
    ((ObjectNode) job.get("spec")).put("completions", 9).put("parallelism", 9);
    assertThat(refusal(gate, job)).contains("72 GPUs");
    ObjectNode jobSet = Honest.of("JobSet");
    ((ObjectNode) jobSet.at("/spec/replicatedJobs/0")).put("replicas", 5);
    assertThat(refusal(gate, jobSet)).contains("80 GPUs");
    ObjectNode request = Honest.of("ProvisioningRequest");
    ((ObjectNode) request.at("/spec/podSets/0")).put("count", 9);
    assertThat(
            gate.check(
                Honest.ATTEMPT,
                Gate.Command.HOLD,
                List.of(bytes(Honest.of("PodTemplate")), bytes(request))))
        .isInstanceOfSatisfying(
            Gate.Refused.class, no -> assertThat(no.reason()).contains("72 GPUs"));
  }

  @Test
  void the_placeholders_image_needs_no_rule() {
    ObjectNode pod = Honest.of("Pod");
    ((ObjectNode) pod.at("/spec/containers/0")).put("image", "registry.k8s.io/pause:3.10");
    assertThat(refusal(gate, pod)).isEqualTo("admitted");
  }

  @Test
  void the_strict_defaults_allow_no_privilege_no_identity_and_any_registry() {
    Gate strict = new Gate(Honest.CLUSTER, GateRules.DEFAULTS);
    assertThat(refusal(strict, Honest.of("PersistentVolume")))
        .contains("the kind v1 PersistentVolume");
    ObjectNode job = Honest.of("Job");
    ObjectNode pod = (ObjectNode) job.at("/spec/template/spec");
    assertThat(refusal(strict, job)).contains("hostPath");
    ((ArrayNode) pod.get("volumes")).remove(1);
    assertThat(refusal(strict, job)).contains("serviceAccountName");
    pod.remove("serviceAccountName");
    pod.put("automountServiceAccountToken", false);
    assertThat(refusal(strict, job)).isEqualTo("admitted");
  }

  @Test
  void the_default_account_never_gets_a_token_whatever_the_rules_name() {
    GateRules rules =
        GateFile.read("serviceAccounts: [default]\nregistries: [registry.example]\n").rules();
    ObjectNode job = Honest.of("Job");
    ObjectNode pod = (ObjectNode) job.at("/spec/template/spec");
    ((ArrayNode) pod.get("volumes")).remove(1);
    pod.put("serviceAccountName", "default");
    assertThat(refusal(new Gate(Honest.CLUSTER, rules), job)).contains("a token");
    pod.put("automountServiceAccountToken", false);
    assertThat(refusal(new Gate(Honest.CLUSTER, rules), job)).isEqualTo("admitted");
  }

  @Test
  void a_gate_file_is_read_strictly() {
    assertThat(GateFile.read("").rules()).isEqualTo(GateRules.DEFAULTS);
    assertThat(GateFile.read("kinds:\nmaxGpus:\n").wrong()).isEmpty();
    GateFile.Reading reading =
        GateFile.read(
            """
            kinds: [Job, Secret]
            namespace: [x]
            allowPrivileged: "yes"
            allowHostPath: [/, ../etc]
            maxGpus: many
            """);
    assertThat(reading.wrong())
        .hasSize(6)
        .anyMatch(line -> line.contains("namespace is no key"))
        .anyMatch(line -> line.contains("does not apply Secret"))
        .anyMatch(line -> line.contains("allowPrivileged is true or false"))
        .anyMatch(line -> line.contains("maxGpus is a whole number"));
    GateRules rules =
        GateFile.read("namespaces: [jobs]\nallowHostPath: [/dev/infiniband]\nmaxGpus: 8\n").rules();
    assertThat(rules.namespaces()).containsExactly("jobs");
    assertThat(rules.hostPaths()).containsExactly("/dev/infiniband");
    assertThat(rules.kinds()).isEqualTo(Set.copyOf(GateRules.ALL_KINDS));
  }
}
