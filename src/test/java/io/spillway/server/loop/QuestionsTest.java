package io.spillway.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuestionsTest {
  private final Questions questions = new Questions(new Wake());
  private final AtomicInteger answered = new AtomicInteger();

  @Test
  void whoever_asks_again_at_once_does_not_keep_the_loop_from_its_next_cycle() {
    askOnAndOn(1_000);
    questions.answer(null);
    assertThat(answered).hasValue(1);
    questions.answer(null);
    assertThat(answered).hasValue(2);
  }

  @Test
  void what_was_asked_before_the_end_is_answered_and_nothing_after_it() {
    CompletionStage<String> before = questions.ask(view -> "yes");
    questions.close(null);
    assertThat(before).isCompletedWithValue("yes");
    assertThat(questions.ask(view -> "no")).isCompletedExceptionally();
  }

  private void askOnAndOn(int times) {
    var _ =
        questions
            .ask(view -> answered.incrementAndGet())
            .thenAccept(
                count -> {
                  if (count < times) {
                    askOnAndOn(times);
                  }
                });
  }
}
