package io.spillway.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void nothing_set_means_the_usual_ports_a_demo_and_data_that_is_thrown_away() {
    Options options = Options.of(Map.of("PORT", "", "DEMO", ""));
    assertThat(options.port()).isEqualTo(8080);
    assertThat(options.managementPort()).isEqualTo(9000);
    assertThat(options.data()).isEmpty();
    assertThat(options.token()).isEmpty();
    assertThat(options.demo()).isTrue();
  }

  @Test
  void each_variable_has_its_effect() {
    Options options =
        Options.of(
            Map.of(
                "PORT",
                "0",
                "MANAGEMENT_PORT",
                "9100",
                "DATA",
                "d",
                "TOKEN",
                "t",
                "DEMO",
                "off",
                "TRACES",
                "h100"));
    assertThat(options)
        .isEqualTo(
            new Options(
                0,
                9100,
                java.util.Optional.of(Path.of("d")),
                java.util.Optional.of("t"),
                java.util.Optional.of(Path.of("h100")),
                false));
  }

  @Test
  void a_port_that_is_none_is_refused_by_its_name() {
    assertThatThrownBy(() -> Options.of(Map.of("PORT", "eighty"))).hasMessageContaining("PORT");
    assertThatThrownBy(() -> Options.of(Map.of("MANAGEMENT_PORT", "70000")))
        .hasMessageContaining("MANAGEMENT_PORT");
  }
}
