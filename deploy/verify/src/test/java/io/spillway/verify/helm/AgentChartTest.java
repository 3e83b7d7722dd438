package io.spillway.verify.helm;

import static io.spillway.verify.helm.Rendered.each;
import static io.spillway.verify.helm.Rendered.texts;
import static io.spillway.verify.helm.Rendered.title;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.real.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the agent's chart lets the agent do. */
@HelmProgram.WithHelm
class AgentChartTest {
  private static final Map<String, String> KIND_OF =
      Map.ofEntries(
          Map.entry("jobs", "Job"),
          Map.entry("jobsets", "JobSet"),
          Map.entry("mpijobs", "MPIJob"),
          Map.entry("pods", "Pod"),
          Map.entry("podtemplates", "PodTemplate"),
          Map.entry("services", "Service"),
          Map.entry("configmaps", "ConfigMap"),
          Map.entry("persistentvolumeclaims", "PersistentVolumeClaim"),
          Map.entry("serviceaccounts", "ServiceAccount"),
          Map.entry("provisioningrequests", "ProvisioningRequest"));

  private static Rendered line(String... settings) throws IOException, InterruptedException {
    return HelmProgram.render(Chart.AGENT, Chart.AGENT.example("line"), settings);
  }

  @Test
  void it_makes_exactly_the_kinds_that_its_gate_lets_through() throws Exception {
    for (String example : List.of("line", "full", "cluster-scope")) {
      Rendered rendered = HelmProgram.render(Chart.AGENT, Chart.AGENT.example(example));
      Set<String> made = new TreeSet<>();
      for (JsonNode rule : rendered.one("ClusterRole", "spillway-agent-jobs").path("rules")) {
        if (texts(rule.path("verbs")).contains("create")) {
          texts(rule.path("resources")).forEach(resource -> made.add(KIND_OF.get(resource)));
        }
      }
      for (JsonNode rule : rendered.one("ClusterRole", "spillway-agent-read").path("rules")) {
        if (texts(rule.path("verbs")).contains("create")) {
          assertThat(texts(rule.path("resources"))).containsExactly("persistentvolumes");
          made.add("PersistentVolume");
        }
      }

      assertThat(made).isEqualTo(new TreeSet<>(texts(gate(rendered).path("kinds"))));
    }
  }

  @Test
  void it_has_no_right_by_which_it_could_give_itself_more() throws Exception {
    for (String example : List.of("line", "full", "cluster-scope")) {
      Rendered rendered = HelmProgram.render(Chart.AGENT, Chart.AGENT.example(example));
      for (JsonNode role : rendered.kinds("Role", "ClusterRole")) {
        for (JsonNode rule : role.path("rules")) {
          assertThat(texts(rule.path("verbs")))
              .as(title(role))
              .doesNotContain("*", "escalate", "bind", "impersonate", "deletecollection");
          assertThat(texts(rule.path("resources")))
              .as(title(role))
              .doesNotContain("*", "secrets", "pods/exec", "nodes/proxy", "serviceaccounts/token");
          assertThat(texts(rule.path("apiGroups")))
              .as(title(role))
              .doesNotContain("*", "rbac.authorization.k8s.io", "admissionregistration.k8s.io");
        }
      }
    }
  }

  @Test
  void without_being_told_so_it_writes_in_its_own_and_the_listed_namespaces_only()
      throws Exception {
    Rendered rendered = line();

    for (JsonNode binding : rendered.kinds("ClusterRoleBinding")) {
      JsonNode role = rendered.one("ClusterRole", binding.at("/roleRef/name").asText());
      each(role.path("rules"))
          .forEach(
              rule -> assertThat(texts(rule.path("verbs"))).isSubsetOf("get", "list", "watch"));
    }
    List<String> writing =
        rendered.kinds("RoleBinding").stream()
            .filter(
                b -> !b.at("/metadata/name").asText().matches(".*-(node-events|autoscaler-status)"))
            .map(b -> b.at("/metadata/namespace").asText())
            .toList();
    assertThat(writing)
        .containsExactlyInAnyOrder("spillway-nlp", "spillway-research", "spillway-system");
  }

  @Test
  void the_gate_holds_what_the_values_say_and_what_holding_nodes_needs() throws Exception {
    JsonNode gate = gate(line("--set", "gate.registries={registry.example}"));

    assertThat(texts(gate.path("namespaces"))).containsExactly("spillway-nlp", "spillway-research");
    assertThat(texts(gate.path("registries")))
        .containsExactly("registry.example", "registry.k8s.io");
    assertThat(texts(gate.path("priorityClasses"))).containsExactly("spillway-placeholder");
    assertThat(gate.path("allowPrivileged").asBoolean(true)).isFalse();
    assertThat(gate.path("allowHostNetwork").asBoolean(true)).isFalse();
    assertThat(texts(gate.path("allowHostPath"))).isEmpty();
    assertThat(gate.path("maxGpus").isInt()).isTrue();
  }

  @Test
  void namespaces_forbid_privileged_pods_unless_the_gate_lets_them_through() throws Exception {
    String level = "/metadata/labels/pod-security.kubernetes.io~1enforce";

    assertThat(line().one("Namespace", "spillway-nlp").at(level).asText()).isEqualTo("baseline");
    assertThat(
            line("--set", "gate.allowHostNetwork=true")
                .one("Namespace", "spillway-nlp")
                .at(level)
                .asText())
        .isEqualTo("privileged");
  }

  @Test
  void the_network_lets_it_call_and_nobody_call_it() throws Exception {
    JsonNode policy = line().one("NetworkPolicy", "spillway-agent").path("spec");

    assertThat(texts(policy.path("policyTypes"))).containsExactly("Ingress", "Egress");
    assertThat(policy.path("ingress").isArray() && policy.path("ingress").isEmpty()).isTrue();
    assertThat(line().kinds("Service")).isEmpty();
  }

  @Test
  void where_the_server_is_decides_about_tls_and_the_port() throws Exception {
    assertThat(environment(line())).containsEntry("SPILLWAY_AGENT_TLS", "true");
    Rendered plain = line("--set", "server=http://10.0.0.5:8080");
    assertThat(environment(plain))
        .containsEntry("SPILLWAY_AGENT_TLS", "false")
        .containsEntry("SPILLWAY_AGENT_SERVER", "10.0.0.5:8080");
    assertThat(
            plain.one("NetworkPolicy", "spillway-agent").at("/spec/egress/1/ports/0/port").asInt())
        .isEqualTo(8080);
    // The agent itself guesses no port: where the values say none, the chart writes it.
    assertThat(environment(line("--set", "server=http://spillway.spillway")))
        .containsEntry("SPILLWAY_AGENT_TLS", "false")
        .containsEntry("SPILLWAY_AGENT_SERVER", "spillway.spillway:80");
    assertThat(environment(line("--set", "server=spillway.example")))
        .containsEntry("SPILLWAY_AGENT_TLS", "true")
        .containsEntry("SPILLWAY_AGENT_SERVER", "spillway.example:443");
  }

  @Test
  void its_stream_reaches_a_control_plane_in_the_same_cluster() throws Exception {
    // A policy sees the port of the pod that answers: behind the Service's 443 that is 8443.
    JsonNode server =
        HelmProgram.render(Chart.SERVER, Chart.SERVER.example("full"))
            .one("Deployment", "spillway")
            .at("/spec/template/spec/containers/0/ports");
    int answers =
        each(server)
            .filter(port -> port.path("name").asText().equals("https"))
            .map(port -> port.path("containerPort").asInt())
            .findFirst()
            .orElseThrow();
    JsonNode out = line().one("NetworkPolicy", "spillway-agent").at("/spec/egress/1/ports");

    assertThat(each(out).map(port -> port.path("port").asInt())).contains(443, answers, 6443);
  }

  @Test
  void another_authority_restarts_it_since_it_reads_one_only_when_it_starts() throws Exception {
    String begin = "tls.ca=-----BEGIN CERTIFICATE-----";
    JsonNode one = line("--set", begin + "one").one("Deployment", "spillway-agent");
    JsonNode two = line("--set", begin + "two").one("Deployment", "spillway-agent");
    String annotations = "/spec/template/metadata/annotations";

    assertThat(one.at(annotations)).isNotEqualTo(two.at(annotations));
  }

  @Test
  void prometheus_takes_the_configuration_that_the_chart_writes() throws Exception {
    Path promtool = Programs.cache().resolve("prometheus/usr/bin/promtool");
    assumeTrue(Files.isExecutable(promtool), "promtool is not there: make verify-programs");
    Rendered rendered = HelmProgram.render(Chart.AGENT, Chart.AGENT.example("full"));
    String written =
        rendered.one("ConfigMap", "spillway-agent-prometheus").at("/data/prometheus.yml").asText();
    // Debian builds Prometheus without the discovery of Kubernetes.
    Path file = Files.createTempFile("prometheus", ".yml");
    Files.writeString(file, written.replaceAll("kubernetes_sd_configs: .*", "static_configs: []"));

    String said =
        Programs.run(
            file.getParent(),
            List.of(
                promtool.toString(),
                "check",
                "config",
                "--agent",
                "--syntax-only",
                file.toString()));

    assertThat(said).contains("SUCCESS");
    assertThat(written).contains("\"cluster\":\"oke-frankfurt\"");
  }

  private static Map<String, String> environment(Rendered rendered) {
    Map<String, String> environment = new TreeMap<>();
    rendered
        .one("Deployment", "spillway-agent")
        .at("/spec/template/spec/containers/0/env")
        .forEach(e -> environment.put(e.path("name").asText(), e.path("value").asText()));
    return environment;
  }

  private static JsonNode gate(Rendered rendered) throws IOException {
    return Chart.YAML.readTree(
        rendered.one("ConfigMap", "spillway-agent-gate").at("/data/gate.yaml").asText());
  }
}
