package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class EventEnvelopeTest {
  private static final String BARE = "{\"source\":\"aws.ec2\",\"detail-type\":\"x\",\"id\":\"1\"}";

  @Test
  void every_wrapper_of_a_carrier_leads_to_the_same_event() throws Exception {
    String quoted = quote(BARE);
    String pubSub = Base64.getEncoder().encodeToString(BARE.getBytes(StandardCharsets.UTF_8));
    for (String wrapped :
        new String[] {
          BARE,
          quoted,
          "{\"Body\":" + quoted + "}",
          "{\"Type\":\"Notification\",\"Message\":" + quoted + "}",
          "{\"body\":" + quote("{\"Message\":" + quoted + "}") + "}",
          "{\"schema\":null,\"payload\":" + quoted + "}",
          "{\"subscription\":\"s\",\"message\":{\"data\":\"" + pubSub + "\"}}",
          "{\"ackId\":\"a\",\"message\":{\"data\":\"" + pubSub + "\"}}",
          "{\"specversion\":\"1.0\",\"data\":{\"subscription\":\"s\",\"message\":{\"data\":\""
              + pubSub
              + "\"}}}"
        }) {
      assertThat(EventEnvelope.unwrap(wrapped).path("id").asText()).as(wrapped).isEqualTo("1");
    }
  }

  @Test
  void a_body_inside_an_event_is_the_events_own_affair() throws Exception {
    String event = "{\"detail-type\":\"x\",\"id\":\"outer\",\"Message\":" + quote(BARE) + "}";

    assertThat(EventEnvelope.unwrap(event).path("id").asText()).isEqualTo("outer");
  }

  @Test
  void text_that_is_no_event_is_refused_with_its_place() {
    assertThatThrownBy(() -> EventEnvelope.unwrap("{\"a\":\n  nope}"))
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> EventEnvelope.unwrap("[1]")).hasMessageContaining("JSON object");
    assertThatThrownBy(() -> EventEnvelope.unwrap("")).hasMessageContaining("JSON object");
    assertThatThrownBy(() -> EventEnvelope.unwrap("[".repeat(100_000)))
        .isInstanceOf(EventEnvelope.UnreadableException.class);
  }

  @Test
  void random_bytes_are_refused_and_never_break_the_reader() {
    long seed = new Random().nextLong();
    RandomGenerator random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      try {
        EventEnvelope.unwrap(text);
      } catch (EventEnvelope.UnreadableException expected) {
        assertThat(expected.getMessage()).as("seed %d", seed).isNotBlank();
      }
    }
  }

  private static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
