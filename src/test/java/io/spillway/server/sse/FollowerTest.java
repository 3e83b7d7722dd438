package io.spillway.server.sse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FollowerTest {

  @Test
  void a_position_is_read_back_and_ordered_by_row_then_event() {
    FeedPosition position = FeedPosition.parse("12.3");
    assertThat(position).isEqualTo(new FeedPosition(12, 3));
    assertThat(FeedPosition.parse(FeedPosition.afterRow(11).toString())).isLessThan(position);
    assertThat(FeedPosition.START).isLessThan(FeedPosition.parse("1.0"));
    assertThat(List.of("", "1", "1.x", "-1.0", "1.0.0", "9".repeat(30) + ".0"))
        .allSatisfy(
            text ->
                org.assertj.core.api.Assertions.assertThatThrownBy(() -> FeedPosition.parse(text))
                    .isInstanceOf(IllegalArgumentException.class));
  }

  @Test
  void the_events_of_a_row_know_their_job_and_their_place() {
    List<FeedItem> items =
        FeedItem.ofRow(
            7,
            Instant.EPOCH,
            """
            [{"@": "JobHeld", "job": "01KB3Z6Q8V4T2N7M5XW9R1C0DE", "reason": "USER_HELD"},
             {"@": "AttemptUnknown", "attempt": "01KB3Z6Q8V4T2N7M5XW9R1C0DE-2"},
             {"@": "SystemPaused", "paused": true}]
            """);
    assertThat(items)
        .extracting(FeedItem::job)
        .containsExactly(
            Optional.of("01KB3Z6Q8V4T2N7M5XW9R1C0DE"),
            Optional.of("01KB3Z6Q8V4T2N7M5XW9R1C0DE"),
            Optional.empty());
    assertThat(items.get(1).position()).isEqualTo(new FeedPosition(7, 1));
    assertThat(items.get(2).data())
        .isEqualTo(JsonNodeFactory.instance.objectNode().put("paused", true));
  }
}
