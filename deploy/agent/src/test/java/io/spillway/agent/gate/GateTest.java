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
  void so_many_gpus_that_their_product_wraps_around_are_too_many() {
    ObjectNode jobSet = Honest.of("JobSet");
    ((ObjectNode) jobSet.at("/metadata/labels")).put("spillway.io/role", "hold");
    ArrayNode jobs = (ArrayNode) jobSet.at("/spec/replicatedJobs");
    ObjectNode one = (ObjectNode) jobs.get(0);
    one.put("replicas", 1 << 16);
    ((ObjectNode) one.at("/template/spec")).put("completions", 1 << 16).put("parallelism", 1 << 16);
    ((ObjectNode) one.at("/template/spec/template/spec/containers/0/resources/limits"))
        .put("nvidia.com/gpu", 1 << 8);
    while (jobs.size() < 8) {
      jobs.add(one.deepCopy());
    }
    ObjectNode request = Honest.of("ProvisioningRequest");
    ArrayNode sets = (ArrayNode) request.at("/spec/podSets");
    ((ObjectNode) sets.get(0)).put("count", 1 << 16);
    while (sets.size() < 32) {
      sets.add(sets.get(0).deepCopy());
    }
    // 2^43 GPUs, 2^21 times.
    assertThat(
            gate.check(Honest.ATTEMPT, Gate.Command.HOLD, List.of(bytes(jobSet), bytes(request))))
        .isInstanceOfSatisfying(
            Gate.Refused.class, no -> assertThat(no.reason()).contains("GPUs, where at most 64"));
  }

  @Test
  void two_hundred_sick_nodes_of_a_large_cluster_are_left_out_by_their_names() {
    ObjectNode job = Honest.of("Job");
    ArrayNode fields =
        ((ObjectNode) job.at("/spec/template/spec/affinity"))
            .putObject("nodeAffinity")
            .putObject("requiredDuringSchedulingIgnoredDuringExecution")
            .putArray("nodeSelectorTerms")
            .addObject()
            .putArray("matchFields");
    for (int i = 0; i < 200; i++) {
      ObjectNode one = fields.addObject().put("key", "metadata.name").put("operator", "NotIn");
      one.putArray("values").add("gpu-" + i);
    }
    assertThat(refusal(gate, job)).isEqualTo("admitted");
  }

  @Test
  void as_much_as_a_job_may_ask_for_passes() {
    ObjectNode job = Honest.of("Job");
    ArrayNode secrets = (ArrayNode) job.at("/spec/template/spec/imagePullSecrets");
    for (int i = secrets.size(); i < 16; i++) {
      secrets.addObject().put("name", "regcred-" + i);
    }
    assertThat(refusal(gate, job)).isEqualTo("admitted");

    List<byte[]> start = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      ObjectNode volume = Honest.of("PersistentVolume");
      ((ObjectNode) volume.get("metadata")).put("name", "sw-1-s" + i);
      ((ArrayNode) volume.at("/spec/mountOptions"))
          .add("prefix " + "it's_(v2)!*/".repeat(80) + "/");
      ObjectNode claim = Honest.of("PersistentVolumeClaim");
      ((ObjectNode) claim.get("metadata")).put("name", "sw-1-s" + i);
      start.add(bytes(volume));
      start.add(bytes(claim));
    }
    start.add(bytes(Honest.of("Service")));
    start.add(bytes(job));
    assertThat(gate.check(Honest.ATTEMPT, Gate.Command.START, start))
        .isInstanceOf(Gate.Admitted.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "registry.example/team/train---nightly:1",
        "registry.example/team/train__nightly:1",
        "Registry.Example/team/train:1",
        "registry.example/team/train@sha512:"
            + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
            + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
      })
  void an_image_in_any_spelling_of_its_registry_is_that_registrys(String image) {
    ObjectNode job = Honest.of("Job");
    ((ObjectNode) job.at("/spec/template/spec/containers/0")).put("image", image);
    assertThat(refusal(gate, job)).isEqualTo("admitted");
  }

  @Test
  void a_first_word_with_a_capital_is_a_host_and_not_docker_hubs() {
    Gate hub =
        new Gate(
            Honest.CLUSTER,
            GateFile.read("registries: [docker.io]\nserviceAccounts: [trainer]\n").rules());
    ObjectNode job = Honest.of("Job");
    ObjectNode pod = (ObjectNode) job.at("/spec/template/spec");
    ((ArrayNode) pod.get("volumes")).remove(1);
    ((ObjectNode) pod.at("/containers/0")).put("image", "team/train:1");
    assertThat(refusal(hub, job)).isEqualTo("admitted");
    ((ObjectNode) pod.at("/containers/0")).put("image", "EVIL/train:1");
    assertThat(refusal(hub, job)).contains("a registry that is not allowed");
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
