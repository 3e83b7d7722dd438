package io.spillway.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentSettingsTest {
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void least() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret");
    environment.put("SPILLWAY_AGENT_CLUSTER", "eks-ohio");
    environment.put("SPILLWAY_AGENT_SERVER", "spillway.example:8443");
    environment.put("SPILLWAY_AGENT_TOKEN_FILE", token.toString());
  }

  @Test
  void three_settings_are_enough() throws Exception {
    AgentConfig config = AgentSettings.read(environment);
    assertThat(config.server().toString()).isEqualTo("https://spillway.example:8443");
    assertThat(config.namespace()).isEqualTo("spillway");
    assertThat(config.healthPort()).isEqualTo(8081);
    assertThat(config.gateFile()).isEmpty();
    assertThat(config.identity()).isNotBlank();
  }

  @Test
  void an_empty_setting_is_its_default() throws Exception {
    for (String name : new String[] {"TLS", "CA_FILE", "KUBECONFIG", "HEALTH_PORT", "GATE_FILE"}) {
      environment.put("SPILLWAY_AGENT_" + name, " ");
    }
    AgentConfig config = AgentSettings.read(environment);
    assertThat(config.server().tls()).isTrue();
    assertThat(config.healthPort()).isEqualTo(8081);
    assertThat(config.kubeconfig()).isEmpty();
  }

  @Test
  void everything_wrong_is_told_at_once_by_its_name() {
    environment.put("SPILLWAY_AGENT_CLUSTER", "Not A Label");
    environment.put("SPILLWAY_AGENT_SERVER", "https://spillway.example/path");
    environment.put("SPILLWAY_AGENT_TLS", "yes");
    environment.put("SPILLWAY_AGENT_HEALTH_PORT", "eighty");
    environment.put("SPILLWAY_AGENT_TOKEN_FILE", "/nowhere");
    environment.put("SPILLWAY_AGENT_UNSCHEDULABLE_AFTER", "soon");
    assertThatThrownBy(() -> AgentSettings.read(environment))
        .isInstanceOf(WrongSettingsException.class)
        .hasMessageContaining("SPILLWAY_AGENT_CLUSTER is a DNS label")
        .hasMessageContaining("SPILLWAY_AGENT_SERVER")
        .hasMessageContaining("SPILLWAY_AGENT_TLS is true or false")
        .hasMessageContaining("SPILLWAY_AGENT_HEALTH_PORT is a whole number")
        .hasMessageContaining("SPILLWAY_AGENT_TOKEN_FILE names a file that cannot be read")
        .hasMessageContaining("SPILLWAY_AGENT_UNSCHEDULABLE_AFTER is a time");
  }

  @Test
  void a_url_says_port_and_security_itself() throws Exception {
    environment.put("SPILLWAY_AGENT_SERVER", "https://spillway.example");
    assertThat(AgentSettings.read(environment).server().port()).isEqualTo(443);
    environment.put("SPILLWAY_AGENT_SERVER", "http://spillway.example:8080/");
    assertThat(AgentSettings.read(environment).server().tls()).isFalse();
    environment.put("SPILLWAY_AGENT_TLS", "true");
    assertThatThrownBy(() -> AgentSettings.read(environment))
        .hasMessageContaining(
            "SPILLWAY_AGENT_TLS is true, but SPILLWAY_AGENT_SERVER begins with http");
  }

  @Test
  void the_environment_goes_before_the_file() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("agent.properties"),
            "SPILLWAY_AGENT_CLUSTER=other\nSPILLWAY_AGENT_NAMESPACE=agents\n");
    environment.put("SPILLWAY_AGENT_CONFIG", file.toString());
    AgentConfig config = AgentSettings.read(environment);
    assertThat(config.cluster()).isEqualTo("eks-ohio");
    assertThat(config.namespace()).isEqualTo("agents");
  }

  @Test
  void what_is_no_setting_is_named_but_stops_nothing() {
    environment.put("SPILLWAY_AGENT_TSL", "false");
    environment.put("SPILLWAY_AGENT_SERVICE_HOST", "10.0.0.1");
    environment.put("SPILLWAY_AGENT_PORT_8081_TCP", "tcp://10.0.0.1:8081");
    assertThat(AgentSettings.unknown(environment)).containsExactly("SPILLWAY_AGENT_TSL");
  }
}
