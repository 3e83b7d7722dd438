package io.spillway.verify.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.real.Repository;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values, their schema and their page speak of the same keys. Needs no Helm. */
class ChartValuesTest {

  @ParameterizedTest
  @EnumSource
  void every_key_of_the_schema_has_a_default_and_every_default_is_in_the_schema(Chart chart)
      throws Exception {
    Set<String> defaults = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    keys("", chart.schema(), chart.defaults(), known, defaults);

    // Helm hands the parent's globals to every chart.
    known.remove("/global");
    assertThat(defaults).isEqualTo(known);
  }

  /** Goes down where the schema closes an object; what it leaves open is the user's own. */
  private static void keys(
      String place, JsonNode schema, JsonNode values, Set<String> known, Set<String> defaults) {
    if (!isClosed(schema) || place.endsWith("/resources")) {
      return;
    }
    schema
        .path("properties")
        .properties()
        .forEach(
            key -> {
              String below = place + '/' + key.getKey();
              known.add(below);
              keys(below, key.getValue(), values.path(key.getKey()), known, defaults);
            });
    values.properties().forEach(key -> defaults.add(place + '/' + key.getKey()));
  }

  @ParameterizedTest
  @EnumSource
  void no_object_of_the_schema_lets_a_mistyped_key_pass(Chart chart) throws Exception {
    Set<String> open = new TreeSet<>();
    open(chart.schema(), "", open);

    // Kubernetes' own objects, which the API server checks.
    open.removeIf(
        place ->
            place.matches(
                ".*/(affinity|tolerations|global|valueFrom|requests|limits|claims"
                    + "|from|metricsFrom|managementFrom|egress)"));
    assertThat(open).isEmpty();
  }

  private static void open(JsonNode schema, String place, Set<String> open) {
    if (schema.path("type").asText().equals("object") && !schema.has("additionalProperties")) {
      open.add(place);
    }
    schema
        .path("properties")
        .properties()
        .forEach(k -> open(k.getValue(), place + '/' + k.getKey(), open));
    if (schema.path("additionalProperties").isObject()) {
      open(schema.path("additionalProperties"), place + "/*", open);
    }
    if (schema.has("items")) {
      open(schema.path("items"), place, open);
    }
  }

  private static boolean isClosed(JsonNode schema) {
    return schema.path("additionalProperties").isBoolean()
        && !schema.path("additionalProperties").asBoolean();
  }

  @ParameterizedTest
  @EnumSource
  void the_page_of_a_chart_names_every_key(Chart chart) throws Exception {
    String page = chart.readme();
    Set<String> unnamed = new TreeSet<>();
    chart.defaults().fieldNames().forEachRemaining(unnamed::add);
    unnamed.removeIf(key -> page.contains('`' + key + '`') || page.contains('`' + key + '.'));

    assertThat(unnamed).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_chart_installs_the_version_that_the_build_makes(Chart chart) throws Exception {
    String pom = Files.readString(Repository.root().resolve("pom.xml"));
    Matcher version =
        Pattern.compile("<artifactId>spillway</artifactId>\\s*<version>([^<]+)<").matcher(pom);
    assertThat(version.find()).isTrue();

    JsonNode about = Chart.YAML.readTree(chart.path().resolve("Chart.yaml").toFile());
    assertThat(about.path("appVersion").asText()).isEqualTo(version.group(1));
  }
}
