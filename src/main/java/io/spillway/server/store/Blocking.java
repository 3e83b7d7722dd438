package io.spillway.server.store;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the database on a thread that may: the loop's, the lease's, a start-up's. */
public final class Blocking {
  private Blocking() {}

  /**
   * The result, or the failure as it came (a checked one wrapped in {@link CompletionException}).
   *
   * @throws NoAnswer if there is none in time or the thread was interrupted: the outcome is unknown
   */
  public static <T> T await(Future<T> future, Duration limit) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new NoAnswer("no answer from the database in " + limit, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("interrupted while waiting for the database", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new CompletionException(e.getCause());
    }
  }

  /** The database did not answer: whether it did the work is unknown. */
  public static final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswer(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
