package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RememberedTest {
  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

  private final Remembered<String, Integer> remembered =
      new Remembered<>(Duration.ofMinutes(10), Duration.ofHours(1));
  private final ProbeClient client =
      new ProbeClient(
          new AccountSettings(
              "prod",
              Optional.empty(),
              List.of(),
              Duration.ofMinutes(1),
              BigDecimal.ONE,
              Optional.empty(),
              Map.of()),
          URI.create("https://example.com"),
          HttpCall.Signer.NONE,
          new CallBudget(1, 1, Duration.ZERO));
  private int asked;

  @Test
  void what_is_fresh_is_not_asked_again_and_what_is_old_is() {
    assertThat(value(0)).isEqualTo(1);
    assertThat(value(9)).isEqualTo(1);
    assertThat(value(10)).isEqualTo(2);
  }

  @Test
  void when_asking_fails_the_last_answer_stands_in_for_a_while_and_keeps_its_time() {
    value(0);

    Remembered.Told<Integer> last = failing(30).join();

    assertThat(last.value()).isEqualTo(1);
    assertThat(last.at()).isEqualTo(START);
    assertThatThrownBy(() -> failing(60).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ProbeException.class);
  }

  @Test
  void a_bug_is_never_covered_by_an_old_answer() {
    value(0);

    CompletableFuture<?> read =
        remembered.get(
            "k",
            "k",
            run(30),
            () -> CompletableFuture.failedFuture(new IllegalStateException("b")));

    assertThatThrownBy(read::join).hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void what_is_forbidden_is_not_asked_again_for_its_time() {
    Remembered<String, Integer> rare =
        new Remembered<>(Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(1));

    for (int minutes : new int[] {0, 1, 59, 60}) {
      CompletableFuture<?> read =
          rare.get(
              "k",
              "k",
              run(minutes),
              () -> {
                asked++;
                return CompletableFuture.failedFuture(
                    new ProbeException(FailureClass.AUTH, "forbidden", Optional.empty(), null));
              });
      assertThatThrownBy(read::join).hasCauseInstanceOf(ProbeException.class);
    }

    assertThat(asked).isEqualTo(2);
  }

  @Test
  void of_many_the_longest_unanswered_are_due_first() {
    for (String key : List.of("a", "b")) {
      remembered
          .get(key, key, run(key.equals("a") ? 5 : 0), () -> CompletableFuture.completedFuture(1))
          .join();
    }

    assertThat(remembered.due(List.of("a", "b", "c"), START.plusSeconds(20 * 60), 2))
        .containsExactly("c", "b");
    assertThat(remembered.due(List.of("a", "b"), START.plusSeconds(6 * 60), 2)).isEmpty();
    assertThat(remembered.last("a", START.plusSeconds(6 * 60))).isPresent();
    assertThat(remembered.last("c", START)).isEmpty();
    assertThat(remembered.last("b", START.plusSeconds(3_600))).isEmpty();
  }

  private int value(int minutes) {
    return remembered
        .get("k", "k", run(minutes), () -> CompletableFuture.completedFuture(++asked))
        .join()
        .value();
  }

  private CompletableFuture<Remembered.Told<Integer>> failing(int minutes) {
    return remembered.get(
        "k",
        "k",
        run(minutes),
        () ->
            CompletableFuture.failedFuture(
                new ProbeException(FailureClass.TRANSIENT, "broken", Optional.empty(), null)));
  }

  private ProbeRun run(int minutes) {
    return client.run(START.plus(Duration.ofMinutes(minutes)));
  }
}
