package io.spillway.server.providers;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnknownRefusalsTest {
  private final UnknownRefusals refusals = new UnknownRefusals();

  @Test
  void a_refusal_that_no_rule_knows_is_told_once_for_each_shape_of_its_words() {
    assertThat(look("FluxTensorDrained", "the flux of rack 17 ran dry after 3 tries"))
        .contains("stratus: FluxTensorDrained: the flux of rack # ran dry after # tries");
    assertThat(look("FluxTensorDrained", "the flux of rack 18 ran dry after 4 tries")).isEmpty();
    assertThat(look("FluxTensorDrained", "the flux was stolen")).isPresent();
  }

  @Test
  void what_a_rule_knows_is_not_told() {
    assertThat(refusals.look(failure(FailureClass.NO_CAPACITY), FailureText.of("X", "none left")))
        .isEmpty();
  }

  @Test
  void neither_names_nor_quoted_words_nor_keys_are_told_and_long_words_are_cut() {
    String told =
        look(
                "Odd",
                "pod team-alpha-7 'secret plan' token=abc123def456 key AKIAIOSFODNN7EXAMPLE said"
                    + " eyJhbGciOiJIUzI1NiJ9abcdefgh1234567890 and "
                    + "no ".repeat(300))
            .orElseThrow();

    assertThat(told)
        .doesNotContain("alpha")
        .doesNotContain("plan")
        .doesNotContain("abc123def456")
        .doesNotContainIgnoringCase("AKIAIOSFODNN7EXAMPLE")
        .doesNotContainIgnoringCase("eyJhbGciOiJIUzI1NiJ9");
    assertThat(told.length()).isLessThanOrEqualTo("stratus: ".length() + 200);
  }

  private Optional<String> look(String code, String message) {
    return refusals.look(failure(FailureClass.UNKNOWN), FailureText.of(code, message));
  }

  private static CapacityFailure failure(FailureClass found) {
    MarketKey key =
        new MarketKey(
            "stratus", "prod", "eu-1", "eu-1a", "h100x8", CapacityType.SPOT, Optional.empty());
    return new CapacityFailure(
        found,
        BlockScope.of(key),
        Duration.ofMinutes(5),
        "x",
        Instant.parse("2026-12-01T00:00:00Z"));
  }
}
