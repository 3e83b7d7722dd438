package io.spillway.server.probes;

import io.spillway.capacity.spi.CapacityProbe;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One question to a probe, asked on a thread of its own: a module that blocks its caller blocks
 * nobody else. It is over when the call has returned and its answer is out, which may be later than
 * anybody waits for it.
 */
final class Question {
  private final CompletableFuture<CapacityProbe.Result> answer = new CompletableFuture<>();
  private volatile CompletableFuture<CapacityProbe.Result> asked;

  private Question() {}

  static Question ask(Executor threads, CapacityProbe probe, Set<String> interest, Instant now) {
    Question question = new Question();
    threads.execute(() -> question.call(probe, interest, now));
    return question;
  }

  // Whatever a module throws is its answer; the caller tells failures from bugs.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void call(CapacityProbe probe, Set<String> interest, Instant now) {
    try {
      asked = probe.observe(interest, now).toCompletableFuture();
      asked.whenComplete(
          (result, failure) -> {
            if (failure == null) {
              answer.complete(result);
            } else {
              answer.completeExceptionally(failure);
            }
          });
    } catch (RuntimeException bug) {
      answer.completeExceptionally(bug);
    }
  }

  CompletableFuture<CapacityProbe.Result> answer() {
    return answer;
  }

  /** Nobody waits any more. */
  void giveUp() {
    CompletableFuture<CapacityProbe.Result> pending = asked;
    if (pending != null) {
      pending.cancel(true);
    }
  }

  boolean over() {
    return answer.isDone();
  }
}
