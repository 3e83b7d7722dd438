package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.kube.KubeApi.Answer;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the charts print, with each set of example values, passes a dry run of the API server. */
@Kubernetes
class ChartsAreAcceptedTest {
  private static final String RELEASE = "spillway-system";

  /** Of Prometheus' operator, whose definitions are not among the modules that are built from. */
  private static final Set<String> NOT_DEFINED = Set.of("ServiceMonitor", "PodMonitor");

  @ParameterizedTest
  @ValueSource(strings = {"spillway", "spillway-agent"})
  void every_object_of_a_chart_passes_a_dry_run_with_the_real_schema(String chart, KubeWorld world)
      throws Exception {
    KubeApi admin = world.cluster().admin();
    world.cluster().namespace(RELEASE);
    Path work = Files.createTempDirectory("spillway-charts");
    Helm helm = new Helm(KubePrograms.find().orElseThrow(), work, Optional.empty());
    List<String> refused = new ArrayList<>();
    int objects = 0;
    try (Stream<Path> examples = Files.list(Helm.chart(chart).resolve("ci"))) {
      for (Path values : examples.sorted().toList()) {
        for (JsonNode object :
            helm.template(
                chart,
                Helm.chart(chart),
                "--namespace",
                RELEASE,
                "--kube-version",
                "1.36.3",
                "--values",
                values.toString())) {
          if (NOT_DEFINED.contains(object.path("kind").asText()) && !admin.knows(object)) {
            continue;
          }
          objects++;
          there(world, object);
          Answer answer = admin.dryRun(object);
          if (!answer.ok()) {
            refused.add(
                values.getFileName()
                    + " "
                    + object.path("kind").asText()
                    + ": "
                    + answer.message());
          }
        }
      }
    }
    assertThat(objects).isGreaterThan(10);
    assertThat(refused).isEmpty();
  }

  /** A dry run makes no namespace in which the next object could lie. */
  private static void there(KubeWorld world, JsonNode object) throws Exception {
    String namespace = object.path("metadata").path("namespace").asText();
    if (!namespace.isEmpty()) {
      world.cluster().namespace(namespace);
    }
    if (object.path("kind").asText().equals("Namespace")) {
      world.cluster().namespace(object.path("metadata").path("name").asText());
    }
  }
}
