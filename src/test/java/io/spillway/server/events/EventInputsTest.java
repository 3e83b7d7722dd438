package io.spillway.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import org.junit.jupiter.api.Test;

class EventInputsTest {
  @Test
  void what_nobody_understands_has_a_reason_and_what_is_irrelevant_has_none() {
    assertThat(EventInputs.of(new NotMine()).problem()).contains("no provider knows this event");
    assertThat(EventInputs.of(new Malformed("broken")).problem()).contains("broken");
    assertThat(EventInputs.of(new Irrelevant("x")).problem()).isEmpty();
    assertThat(EventInputs.of(new Irrelevant("x")).inputs()).isEmpty();
  }
}
