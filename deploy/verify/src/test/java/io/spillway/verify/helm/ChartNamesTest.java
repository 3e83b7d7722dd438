package io.spillway.verify.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.real.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Chart and agent mean the same by the same names. The agent's own sources say what it knows. */
class ChartNamesTest {
  private static final Path AGENT = Repository.root().resolve("deploy/agent");
  private static final Pattern QUOTED = Pattern.compile("\"([A-Za-z]+)\"");

  @Test
  void every_variable_that_the_chart_sets_is_a_setting_of_the_agent() throws IOException {
    Set<String> set = found("SPILLWAY_AGENT_[A-Z_]+", template("deployment.yaml"));
    Set<String> known =
        found("SPILLWAY_AGENT_[A-Z_]+", Files.readString(AGENT.resolve("README.md")));

    assertThat(set).contains("SPILLWAY_AGENT_CLUSTER", "SPILLWAY_AGENT_GATE_FILE");
    assertThat(known).containsAll(set);
  }

  @Test
  void the_gate_of_the_chart_has_exactly_the_keys_that_the_agent_reads() throws IOException {
    String helpers = template("_helpers.tpl");
    int begin = helpers.indexOf("{{- define \"agent.gate\" -}}");
    String gate = helpers.substring(begin, helpers.indexOf("{{- end -}}", begin));

    assertThat(found("(?m)^([a-zA-Z]+)(?=:)", gate)).isEqualTo(quoted("KEYS", "GateFile.java"));
  }

  @Test
  void the_chart_offers_exactly_the_kinds_that_the_agent_can_apply() throws IOException {
    JsonNode gate = Chart.AGENT.schema().at("/properties/gate/properties");
    Set<String> usual = new TreeSet<>(Rendered.texts(gate.at("/kinds/items/enum")));
    Set<String> further = new TreeSet<>(Rendered.texts(gate.at("/moreKinds/items/enum")));

    assertThat(usual).isEqualTo(quoted("ALL_KINDS", "GateRules.java"));
    assertThat(further).isEqualTo(quoted("MORE_KINDS", "GateRules.java"));
  }

  @Test
  void the_probes_and_the_lease_are_called_as_the_agent_calls_them() throws IOException {
    String page = Files.readString(AGENT.resolve("README.md"));

    assertThat(page).contains("`/live`", "`/ready`", "`spillway-agent-<cluster>`");
    assertThat(template("deployment.yaml")).contains("path: /live", "path: /ready");
    assertThat(template("rbac.yaml")).contains("[spillway-agent-{{ .Values.cluster }}]");
  }

  private static String template(String name) throws IOException {
    return Files.readString(Chart.AGENT.path().resolve("templates").resolve(name));
  }

  /** The words of a set that the agent's source declares. */
  private static Set<String> quoted(String constant, String file) throws IOException {
    Path gate = AGENT.resolve("src/main/java/io/spillway/agent/gate");
    String source = Files.readString(gate.resolve(file));
    int begin = source.indexOf(" " + constant + " =");
    return words(QUOTED, source.substring(begin, source.indexOf(';', begin)));
  }

  private static Set<String> found(String pattern, String text) {
    return words(Pattern.compile("(" + pattern + ")"), text);
  }

  private static Set<String> words(Pattern pattern, String text) {
    Set<String> words = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      words.add(matcher.group(1));
    }
    return words;
  }
}
