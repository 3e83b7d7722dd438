package io.spillway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecisionLineTest {

  private static Optional<String> line(String json) throws JsonProcessingException {
    return new DecisionLine(new Ink(false)).of(new ObjectMapper().readTree(json), "llama …QR7AB");
  }

  @Test
  void a_placement_names_job_place_price_and_rung() throws JsonProcessingException {
    assertThat(
            line(
                """
                {"decision": "PLACED", "attempt": "X-1", "usdPerGpuHour": "1.2500",
                 "offering": "nebius-eu~eu-north1~gpu-h100~spot", "rung": "cheap-spot"}
                """))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .endsWith(
                        "placed    llama …QR7AB → nebius-eu eu-north1 spot  $1.2500/GPU-h  rung"
                            + " cheap-spot"));
  }

  @Test
  void a_held_replacement_says_after_which_attempt_it_starts() throws JsonProcessingException {
    assertThat(
            line(
                """
                {"decision": "PLACED", "attempt": "X-2", "after": "X-1", "usdPerGpuHour": "0.0000",
                 "offering": "eks-ohio~use2-az1~p5.48xlarge~reserved~ec2-p5-reserved"}
                """))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("holds", "eks-ohio reserved pool ec2-p5-reserved", "attempt 1"));
  }

  @Test
  void a_drain_gives_its_reason_in_plain_words() throws JsonProcessingException {
    assertThat(
            line(
                "{\"decision\": \"DRAINED\", \"attempt\": \"X-1\", \"reason\": \"INTERRUPTION_NOTICE\"}"))
        .hasValueSatisfying(
            text ->
                assertThat(text).endsWith("drains    llama …QR7AB attempt 1, interruption notice"));
  }

  @Test
  void what_only_repeats_another_line_is_left_out() throws JsonProcessingException {
    assertThat(line("{\"decision\": \"WOKEN\", \"subject\": \"c\"}")).isEmpty();
  }
}
