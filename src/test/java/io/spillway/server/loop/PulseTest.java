package io.spillway.server.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PulseTest {
  private final Pulse pulse = new Pulse();

  @Test
  void KAI_06_a_loop_that_stands_still_shows_by_its_last_beat_until_it_beats_again() {
    await().until(() -> pulse.sinceBeat().compareTo(Duration.ofMillis(20)) > 0);
    pulse.beat();
    assertThat(pulse.sinceBeat()).isLessThan(Duration.ofMillis(20));
  }

  @Test
  void a_loop_that_ended_says_so() {
    assertThat(pulse.hasEnded()).isFalse();
    pulse.ended();
    assertThat(pulse.hasEnded()).isTrue();
  }

  @Test
  void trouble_is_counted_and_forgotten_once_the_loop_has_caught_up() {
    pulse.trouble(new IllegalStateException("no database"));
    assertThat(pulse.isCaughtUp()).isFalse();
    assertThat(pulse.lastTrouble()).isEqualTo("no database");
    pulse.caughtUp();
    assertThat(pulse.lastTrouble()).isEmpty();
    assertThat(pulse.troubles()).isEqualTo(1);
  }
}
