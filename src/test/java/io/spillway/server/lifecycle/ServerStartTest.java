package io.spillway.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.Submissions;
import io.spillway.server.inbox.Submissions.Outcome;
import io.spillway.server.loop.StateReader;
import io.spillway.server.world.Orders;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ServerStartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  @Inject Submissions submissions;
  @Inject Inbox inbox;
  @Inject StateReader state;

  @Test
  void a_started_server_leads_and_takes_what_is_submitted() {
    await().atMost(PATIENCE).until(state::leading);
    Submissions.NewJob job = Orders.job("research");
    Outcome outcome = submissions.submit(List.of(job)).await().atMost(PATIENCE).getFirst();

    assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
    assertThat(
            inbox.committed(((Outcome.Accepted) outcome).key(), PATIENCE).await().atMost(PATIENCE))
        .isTrue();
    JobId id = job.id();
    assertThat(
            state
                .read(view -> view.job(id))
                .toCompletableFuture()
                .orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
                .join())
        .isPresent();
    assertThat(inbox.load()).isEqualTo(Inbox.Load.NORMAL);
  }
}
