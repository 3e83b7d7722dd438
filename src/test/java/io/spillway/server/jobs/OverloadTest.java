package io.spillway.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.InboxKey;
import io.spillway.server.problem.RetryLater;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadTest {

  @Test
  void a_filling_inbox_turns_batches_away_before_single_jobs() {
    assertThatCode(() -> submission(Inbox.Load.NORMAL).refuseAt(Inbox.Load.HIGH))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> submission(Inbox.Load.HIGH).refuseAt(Inbox.Load.HIGH))
        .isInstanceOfSatisfying(
            RetryLater.class, later -> assertThat(later.afterSeconds()).isPositive());
    assertThatCode(() -> submission(Inbox.Load.HIGH).refuseAt(Inbox.Load.FULL))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> submission(Inbox.Load.FULL).refuseAt(Inbox.Load.FULL))
        .isInstanceOf(RetryLater.class);
  }

  private static JobSubmission submission(Inbox.Load load) {
    return new JobSubmission(
        jobs -> Uni.createFrom().item(List.of()), new Filled(load), null, null, null, null);
  }

  /** An inbox that is so full; nothing else of it is used. */
  private record Filled(Load load) implements Inbox {
    @Override
    public Uni<InboxKey> append(Lane lane, String actor, List<Input> inputs) {
      throw new AssertionError("nothing is appended");
    }

    @Override
    public Uni<InboxKey> appendFrom(Lane lane, String actor, List<Input> inputs, OffsetMove move) {
      throw new AssertionError("nothing is appended");
    }

    @Override
    public Uni<Boolean> committed(InboxKey key, Duration timeout) {
      throw new AssertionError("nothing is awaited");
    }
  }
}
