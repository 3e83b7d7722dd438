package io.spillway.server.loop;

import io.spillway.scheduler.state.View;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** Questions to the state, asked by any thread, answered by the loop's between two cycles. */
final class Questions {
  private final Queue<Consumer<View>> asked = new ArrayDeque<>();
  private final Wake wake;
  private boolean closed;

  Questions(Wake wake) {
    this.wake = wake;
  }

  <T> CompletionStage<T> ask(Function<View, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    synchronized (asked) {
      if (closed) {
        return CompletableFuture.failedFuture(new IllegalStateException("the loop has ended"));
      }
      asked.add(
          view -> {
            try {
              answer.complete(question.apply(view));
            } catch (RuntimeException | Error wrong) { // the asker's, told to the asker
              answer.completeExceptionally(wrong);
            }
          });
    }
    wake.call();
    return answer;
  }

  /**
   * Answers those that were asked before; the loop's thread. What is asked meanwhile waits for the
   * next cycle: whoever asks again at once must not hold up what came in.
   */
  void answer(View view) {
    for (int left = waiting(); left > 0; left--) {
      next().accept(view);
    }
  }

  /** Nobody answers any more. */
  void close(View last) {
    synchronized (asked) {
      closed = true;
    }
    answer(last);
  }

  private int waiting() {
    synchronized (asked) {
      return asked.size();
    }
  }

  private Consumer<View> next() {
    synchronized (asked) {
      return asked.poll();
    }
  }
}
