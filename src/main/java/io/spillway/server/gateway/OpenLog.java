package io.spillway.server.gateway;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.operators.multi.processors.UnicastProcessor;
import io.spillway.server.gateway.AgentLogs.Piece;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A log on its way, for one reader. Pieces that nobody has read yet wait, so many at most; a reader
 * that falls behind further is cut off, since nothing may hold up the agent's stream. Pieces come
 * on the stream's thread.
 */
public final class OpenLog {
  /** Of 32 KiB each as agents cut them: 8 MiB. */
  private static final int WAITING = 256;

  private final CompletableFuture<Piece> first = new CompletableFuture<>();
  private final UnicastProcessor<Piece> pieces;
  private final Runnable whenLeft;

  OpenLog(Runnable whenLeft) {
    this.whenLeft = whenLeft;
    this.pieces = UnicastProcessor.create(new ArrayBlockingQueue<>(WAITING), whenLeft);
  }

  /** The first piece, so that its trouble can still become another answer. */
  public CompletionStage<Piece> first() {
    return first.copy();
  }

  /** All pieces, the first too. Fails for a reader that is too slow. */
  public Multi<Piece> pieces() {
    return pieces;
  }

  /** Nobody will read it. */
  public void giveUp() {
    whenLeft.run();
  }

  void took(Piece piece) {
    pieces.onNext(piece);
    if (piece.last()) {
      pieces.onComplete();
    }
    first.complete(piece);
  }
}
