package io.spillway.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "90s, PT1M30S, 90s",
    "15m, PT15M, 15m",
    "60m, PT1H, 1h",
    "48h, P2D, 2d",
    "1500ms, PT1.5S, 1500ms"
  })
  void a_duration_has_one_shortest_text(String written, Duration meant, String shortest) {
    assertThat(Durations.parse(written)).isEqualTo(meant);
    assertThat(Durations.text(meant)).isEqualTo(shortest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "m", "-1m", "1.5h", "1h30m", "0s", "4000d", "9999999999s", "1 m"})
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
