package io.spillway.verify.helm;

import static io.spillway.verify.helm.Rendered.each;
import static io.spillway.verify.helm.Rendered.texts;
import static io.spillway.verify.helm.Rendered.title;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What both charts promise, with every set of values that stands beside them. */
@HelmProgram.WithHelm
class ChartsRenderTest {

  static List<Arguments> examples() throws Exception {
    List<Arguments> all = new ArrayList<>();
    for (Chart chart : Chart.values()) {
      for (Path example : chart.examples()) {
        all.add(Arguments.of(chart, example));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void it_passes_strict_lint(Chart chart, Path values) throws Exception {
    HelmProgram.Run run = HelmProgram.lint(chart, values);

    assertThat(run.exit()).as(run.output()).isZero();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void every_pod_is_locked_down_and_limited(Chart chart, Path values) throws Exception {
    Rendered rendered = HelmProgram.render(chart, values);

    assertThat(rendered.kinds("Deployment")).isNotEmpty();
    for (JsonNode deployment : rendered.kinds("Deployment")) {
      String name = title(deployment);
      JsonNode pod = deployment.at("/spec/template/spec");
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).as(name).isTrue();
      assertThat(pod.at("/securityContext/runAsUser").asInt()).as(name).isGreaterThan(0);
      assertThat(pod.at("/securityContext/seccompProfile/type").asText())
          .as(name)
          .isEqualTo("RuntimeDefault");
      assertThat(pod.path("hostNetwork").asBoolean()).as(name).isFalse();
      assertThat(each(pod.path("volumes")).filter(v -> v.has("hostPath"))).as(name).isEmpty();
      each(pod.path("containers")).forEach(container -> lockedDown(name, container));
    }
  }

  private static void lockedDown(String name, JsonNode container) {
    JsonNode security = container.path("securityContext");
    assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).as(name).isFalse();
    assertThat(security.path("readOnlyRootFilesystem").asBoolean()).as(name).isTrue();
    assertThat(texts(security.at("/capabilities/drop"))).as(name).containsExactly("ALL");
    assertThat(container.at("/resources/limits/memory").asText()).as(name).isNotEmpty();
    assertThat(container.at("/resources/requests/memory").asText()).as(name).isNotEmpty();
    assertThat(container.has("readinessProbe") && container.has("livenessProbe")).as(name).isTrue();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void nothing_owns_or_takes_along_what_runs(Chart chart, Path values) throws Exception {
    for (JsonNode object : HelmProgram.render(chart, values).objects()) {
      JsonNode metadata = object.path("metadata");
      assertThat(metadata.has("ownerReferences")).as(title(object)).isFalse();
      assertThat(metadata.path("annotations").has("helm.sh/hook")).as(title(object)).isFalse();
      if (object.path("kind").asText().matches("Namespace|PriorityClass|PersistentVolume.*")) {
        assertThat(metadata.at("/annotations/helm.sh~1resource-policy").asText())
            .as(title(object))
            .isEqualTo("keep");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void a_secret_value_stands_in_secrets_only(Chart chart, Path values) throws Exception {
    for (JsonNode object : HelmProgram.render(chart, values).objects()) {
      if (!object.path("kind").asText().equals("Secret")) {
        assertThat(object.toString()).as(title(object)).doesNotContain("swa_");
      }
    }
  }

  /** Chart, example, what is wrong, and what must stand in the answer. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AGENT  | line    | gate.allowPriviledged=true          | properties 'allowPriviledged' not allowed
          AGENT  | line    | cluster=Bad_Name                    | at '/cluster'
          AGENT  | line    | cluster=                            | cluster is required
          AGENT  | line    | server=                             | server is required
          AGENT  | line    | server=ftp://x                      | at '/server'
          AGENT  | line    | token=                              | a token is required
          AGENT  | line    | tokenSecret.name=also               | keep one
          AGENT  | line    | gate.namespaces={spillway-*}        | set rbac.scope to cluster
          AGENT  | line    | gate.kinds={Secret}                 | at '/gate/kinds/0'
          AGENT  | line    | gate.kinds={ClusterRole}            | at '/gate/kinds/0'
          AGENT  | line    | namespaces={spillway-system}        | the agent's own
          AGENT  | line    | namespaces={a,Not_A_Name}           | at '/namespaces/1'
          AGENT  | line    | placeholder.priority=-100           | at '/placeholder/priority'
          AGENT  | line    | placeholder.priority=1              | at '/placeholder/priority'
          AGENT  | line    | gate.maxGpus=many                   | at '/gate/maxGpus'
          AGENT  | line    | prometheus.enabled=true             | prometheus.remoteWrite.url is required
          AGENT  | full    | prometheus.externalLabels.cluster=x | cluster
          AGENT  | line    | image.digest=sha256:1               | at '/image/digest'
          SERVER | full    | database.host=                      | database.host is required
          SERVER | full    | database.secret.name=               | database.secret.name is required
          SERVER | full    | database.caSecret.name=             | database.caSecret.name is required
          SERVER | full    | database.sslMode=off                | at '/database/sslMode'
          SERVER | full    | kafka.bootstrapServers=broker       | at '/kafka/bootstrapServers'
          SERVER | full    | kafka.secret.name=                  | kafka.secret.name is required
          SERVER | full    | policies.configMap=mine             | keep one
          SERVER | ingress | policies.source=directory           | policies.files or policies.configMap is required
          SERVER | ingress | auth.adminTokenSecret.name=         | nobody could log in
          SERVER | ingress | ingress.host=                       | ingress.host is required
          SERVER | full    | configuration.my\\.password=x       | my.password
          SERVER | full    | providers.aws.prod.regoins={x}      | properties 'regoins' not allowed
          SERVER | full    | replicas=0                          | at '/replicas'
          """)
  void bad_values_are_refused_and_the_answer_names_them(
      Chart chart, String example, String setting, String said) throws Exception {
    HelmProgram.Run run = HelmProgram.template(chart, chart.example(example), "--set", setting);

    assertThat(run.exit()).as(setting).isNotZero();
    assertThat(run.output()).contains(said);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void the_same_values_give_the_same_objects(Chart chart, Path values) throws Exception {
    List<String> outputs =
        Stream.of(HelmProgram.template(chart, values), HelmProgram.template(chart, values))
            .map(HelmProgram.Run::output)
            .distinct()
            .toList();

    assertThat(outputs).hasSize(1);
  }
}
