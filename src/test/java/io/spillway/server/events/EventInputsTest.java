package io.spillway.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.scheduler.input.MarketInput.NoticeReceived;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventInputsTest {
  private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void what_nobody_understands_has_a_reason_and_what_is_irrelevant_has_none() {
    assertThat(EventInputs.of(new NotMine()).problem()).contains("no provider knows this event");
    assertThat(EventInputs.of(new Malformed("broken")).problem()).contains("broken");
    assertThat(EventInputs.of(new Irrelevant("x")).problem()).isEmpty();
    assertThat(EventInputs.of(new Irrelevant("x")).inputs()).isEmpty();
  }

  @Test
  void of_a_batch_the_good_is_taken_and_the_bad_is_named() {
    CapacityNotice notice = notice(Kind.LOSS);

    EventInputs read =
        EventInputs.of(
            new Several(
                List.of(
                    new Irrelevant("x"),
                    new Malformed("broken"),
                    new Notices(List.of(notice)),
                    new NotMine())));

    assertThat(read.inputs()).containsExactly(new NoticeReceived(notice));
    assertThat(read.result()).isEqualTo("notice");
    assertThat(read.problem())
        .contains("event 2 of 4: broken; event 4 of 4: no provider knows this event");
  }

  @Test
  void that_an_instance_runs_is_understood_and_brings_the_loop_nothing() {
    EventInputs read = EventInputs.of(new Notices(List.of(notice(Kind.RUNNING))));

    assertThat(read.inputs()).isEmpty();
    assertThat(read.result()).isEqualTo("irrelevant");
    assertThat(read.problem()).isEmpty();
  }

  private static CapacityNotice notice(Kind kind) {
    return new CapacityNotice(
        "n-1", "oci", "prod", "", kind, List.of("i-1"), Optional.empty(), AT, Optional.empty());
  }
}
