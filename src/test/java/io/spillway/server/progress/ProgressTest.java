package io.spillway.server.progress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.json.StrictJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {

  @Test
  void a_whole_report_is_read_and_stored_and_read_again_as_it_was() {
    Progress said =
        Progress.lenient(
            json(
                """
                {"fraction": 0.4200000001, "step": 42, "steps": 100, "message": "epoch\\u00073",
                 "values": {"loss": 1.25, "tokens/s": 90000}}
                """));
    assertThat(said.fraction()).contains(new BigDecimal("0.42"));
    assertThat(said.step()).hasValue(42);
    assertThat(said.message()).contains("epoch 3");
    assertThat(said.values()).isEqualTo(Map.of("loss", dec("1.25"), "tokens/s", dec("90000")));
    assertThat(Progress.lenient(said.json())).isEqualTo(said);
  }

  @ParameterizedTest
  @CsvSource({"0, 4, 0", "1, 3, 0.333333", "3, 3, 1", "5, 3, ''", "'', 3, ''"})
  void step_and_steps_make_the_fraction_that_was_not_named(
      String step, int steps, String fraction) {
    String first = step.isEmpty() ? "" : "\"step\": " + step + ", ";
    Progress said = Progress.lenient(json("{" + first + "\"steps\": " + steps + "}"));
    assertThat(said.fraction().map(BigDecimal::toPlainString).orElse("")).isEqualTo(fraction);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"fraction\": 1.1}           | fraction",
        "{\"fraction\": \"half\"}      | fraction",
        "{\"fraction\": 1e999}         | fraction",
        "{\"step\": -1}                | step",
        "{\"step\": 1.5}               | step",
        "{\"steps\": 0}                | steps",
        "{\"message\": 7}              | message",
        "{\"values\": []}              | values",
        "{\"values\": {\"loss\": \"low\"}} | values.loss",
        "{\"values\": {\"\": 1}}       | values.",
        "{\"values\": {\"a\": 1e99999999}} | values.a"
      })
  void what_is_wrong_is_named_and_left_out_where_nobody_can_be_told(String body, String field) {
    Faults faults = new Faults();
    Progress said = Progress.read(new JsonFields("", json(body), faults));
    assertThat(faults.errors()).singleElement().extracting(e -> e.field()).isEqualTo(field);
    assertThat(said).isEqualTo(Progress.lenient(json("{}")));
  }

  @Test
  void more_values_than_anybody_reads_are_refused() {
    String many =
        IntStream.range(0, 33).mapToObj(i -> "\"v" + i + "\": 1").collect(Collectors.joining(","));
    assertThat(Progress.lenient(json("{\"values\": {" + many + "}}")).values()).isEmpty();
  }

  private static ObjectNode json(String text) {
    return StrictJson.object(text.getBytes(StandardCharsets.UTF_8), Progress.MAX_BYTES);
  }

  private static BigDecimal dec(String text) {
    return new BigDecimal(text);
  }
}
