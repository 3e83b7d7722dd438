package io.spillway.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.state.View;
import io.spillway.server.loop.StateReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PositionsTest {

  @Test
  void a_job_is_answered_without_its_place_while_no_state_is_there_to_be_asked() {
    assertThat(placeOf(new CompletableFuture<>())).isEmpty();
    assertThat(placeOf(CompletableFuture.failedFuture(new IllegalStateException("ended"))))
        .isEmpty();
  }

  private static Optional<JobAnswer.Position> placeOf(CompletableFuture<?> answer) {
    JobRow queued = new JobRow();
    queued.id = "01STRAYSTRAYSTRAYSTRAYSTRA";
    queued.state = "QUEUED";
    return new Positions(new Answering(answer)).of(queued).await().atMost(Duration.ofSeconds(5));
  }

  /** A state that answers this to whatever it is asked. */
  private record Answering(CompletableFuture<?> answer) implements StateReader {
    @Override
    @SuppressWarnings("unchecked")
    public <T> CompletionStage<T> read(Function<View, T> question) {
      return (CompletionStage<T>) answer;
    }

    @Override
    public boolean leading() {
      return true;
    }
  }
}
