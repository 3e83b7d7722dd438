package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Several;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBatchTest {

  @Test
  void each_carriers_batch_is_read_event_by_event_in_its_order() {
    for (String batch :
        List.of(
            "[{\"id\":\"a\"},{\"id\":\"b\"}]",
            "\"[{\\\"id\\\":\\\"a\\\"},{\\\"id\\\":\\\"b\\\"}]\"",
            "{\"records\":[{\"id\":\"a\"},{\"id\":\"b\"}]}",
            "{\"Records\":[{\"body\":\"{\\\"id\\\":\\\"a\\\"}\"},{\"body\":\"{\\\"id\\\":\\\"b\\\"}\"}]}",
            "{\"Messages\":[{\"Body\":\"{\\\"id\\\":\\\"a\\\"}\"},{\"Body\":\"{\\\"id\\\":\\\"b\\\"}\"}]}",
            "{\"receivedMessages\":[" + pulled("a") + "," + pulled("b") + "]}",
            "[[{\"id\":\"a\"}],{\"records\":[{\"id\":\"b\"}]}]")) {
      assertThat(EventBatch.normalize(batch, EventBatchTest::id))
          .as(batch)
          .isEqualTo(new Several(List.of(new Irrelevant("a"), new Irrelevant("b"))));
    }
  }

  @Test
  void a_broken_event_spoils_no_other() {
    assertThat(EventBatch.normalize("[{\"id\":\"a\"}, 7, {\"id\":\"b\"}]", EventBatchTest::id))
        .isEqualTo(
            new Several(
                List.of(
                    new Irrelevant("a"),
                    new Malformed("an event is a JSON object"),
                    new Irrelevant("b"))));
  }

  @Test
  void one_event_and_a_batch_of_one_are_that_event() {
    assertThat(EventBatch.normalize("{\"id\":\"a\"}", EventBatchTest::id))
        .isEqualTo(new Irrelevant("a"));
    assertThat(EventBatch.normalize("[{\"id\":\"a\"}]", EventBatchTest::id))
        .isEqualTo(new Irrelevant("a"));
  }

  @Test
  void a_batch_of_others_events_is_others() {
    assertThat(EventBatch.normalize("[{},{}]", event -> new NotMine())).isEqualTo(new NotMine());
    assertThat(EventBatch.normalize("[]", EventBatchTest::id)).isEqualTo(new NotMine());
  }

  @Test
  void more_events_than_any_carrier_brings_are_refused() {
    String bomb = "[" + "{},".repeat(20_000) + "{}]";

    assertThat(EventBatch.normalize(bomb, event -> new NotMine()))
        .isEqualTo(new Malformed("more than 10000 events in a batch"));
  }

  private static Normalized id(JsonNode event) {
    return new Irrelevant(event.path("id").asText());
  }

  private static String pulled(String id) {
    String data = "{\"id\":\"" + id + "\"}";
    return "{\"ackId\":\"x\",\"message\":{\"data\":\""
        + Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8))
        + "\"}}";
  }
}
