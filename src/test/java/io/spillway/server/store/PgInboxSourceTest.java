package io.spillway.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.Inbox.OffsetMove;
import io.spillway.server.inbox.InboxBell;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.inbox.InboxKey;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.loop.InboxSource.Taken;
import io.spillway.server.world.TestStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PgInboxSourceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int A_POLL = 500;
  private static final Input PAUSE = new CommandInput.SystemPauseSet(true);

  private static PgInbox inbox(TestStore store) {
    return new PgInbox(
        store.database(),
        new StoreCodec(),
        new PgInbox.Place("main", "r1"),
        new InboxBell(),
        new CursorWatch(),
        new InboxGauge(store.database(), "main"),
        Clock.systemUTC());
  }

  @Test
  void an_agents_report_does_not_wait_behind_a_flood_of_provider_events() {
    try (TestStore store = new TestStore()) {
      PgInbox inbox = inbox(store);
      // Given more events from Kafka than three takes hold
      int polls = 3 * Inputs.MAX / A_POLL;
      InboxKey flood = null;
      for (int poll = 0; poll < polls; poll++) {
        OffsetMove move = new OffsetMove("events", 0, (long) poll * A_POLL, (poll + 1L) * A_POLL);
        flood =
            inbox
                .appendFrom(Lane.REPORTS, "kafka:events", Collections.nCopies(A_POLL, PAUSE), move)
                .await()
                .atMost(PATIENCE);
      }
      // When an agent reports
      InboxKey report =
          inbox.append(Lane.REPORTS, "agent:a", List.of(PAUSE)).await().atMost(PATIENCE);

      // Then the next take holds its report, and events in their order
      Taken taken = new PgInboxSource(store.database(), new StoreCodec(), "main").take();
      assertThat(report.writer()).isNotEqualTo(flood.writer());
      assertThat(taken.more()).isTrue();
      assertThat(taken.cursors())
          .containsEntry(report.writer(), report.seq())
          .containsEntry(flood.writer(), 3L);
    }
  }
}
