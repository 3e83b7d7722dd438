package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonViewTest {

  @Test
  void what_is_asked_for_is_there_and_the_rest_is_ignored() {
    JsonView view =
        view(
            "{\"items\":[{\"n\":\"8\",\"p\":2.50,\"on\":true,\"at\":\"2026-11-30T08:15:42+01:00\",\"x\":{}}]}");
    JsonView row = view.list("items").getFirst();

    assertThat(row.integer("n")).isEqualTo(8);
    assertThat(row.decimal("p")).isEqualByComparingTo(new BigDecimal("2.5"));
    assertThat(row.flag("on")).isTrue();
    assertThat(row.instant("at")).isEqualTo(Instant.parse("2026-11-30T07:15:42Z"));
    assertThat(row.optionalText("absent")).isEmpty();
    assertThat(row.optionalDecimal("absent")).isEmpty();
  }

  @Test
  void what_is_missing_or_of_another_type_is_named_with_its_place() {
    JsonView view = view("{\"items\":[{\"a\":1},{\"a\":\"x\",\"b\":[]}]}");
    JsonView row = view.list("items").get(1);

    assertThatThrownBy(() -> row.integer("a"))
        .isInstanceOf(MalformedException.class)
        .hasMessage("field 'items[1].a' is not a number");
    assertThatThrownBy(() -> row.text("c")).hasMessageContaining("items[1].c");
    assertThatThrownBy(() -> row.object("b")).hasMessage("field 'items[1].b' is not an object");
    assertThatThrownBy(() -> view.list("rows")).hasMessage("field 'rows' is not a list");
  }

  @Test
  void a_number_that_would_take_for_ever_is_refused() {
    for (String number :
        new String[] {"1e999999999", "\"1e-999999999\"", "\"" + "9".repeat(60) + "\""}) {
      assertThatThrownBy(() -> view("{\"n\":" + number + "}").decimal("n"))
          .as(number)
          .isInstanceOf(MalformedException.class);
    }
  }

  @Test
  void random_bytes_are_read_or_refused_and_nothing_else() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String pieces = "{}[]\",:0123456789eE.-tfn \\u\n";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(30);
      for (int c = 0; c < length; c++) {
        text.append(pieces.charAt(random.nextInt(pieces.length())));
      }
      try {
        view(text.toString()).optionalDecimal("e");
      } catch (MalformedException expected) {
        assertThat(expected.getMessage()).as("seed %d", seed).isNotBlank();
      }
    }
  }

  private static JsonView view(String json) {
    return JsonView.parse(json.getBytes(StandardCharsets.UTF_8));
  }
}
