package io.spillway.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsdPerGpuHourTest {

  @Test
  void a_price_is_read_to_the_micro_dollar() {
    assertThat(UsdPerGpuHour.parse("3.2")).isEqualTo(new UsdPerGpuHour(3_200_000));
    assertThat(UsdPerGpuHour.parse("9999999.9999").dollars()).hasToString("9999999.9999");
    assertThat(UsdPerGpuHour.parse("1e3").dollars()).hasToString("1000.0000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "-1", "0.00001", "10000000", "1e7", "1e2147483647", "12e2147483646"})
  void what_is_no_price_is_refused_as_one(String text) {
    assertThatThrownBy(() -> UsdPerGpuHour.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
