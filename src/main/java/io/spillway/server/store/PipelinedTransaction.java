package io.spillway.server.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/**
 * One transaction whose statements are all sent before the first answer is awaited: one round trip.
 * After a failed statement the server ignores the rest and turns the commit into a rollback.
 */
public final class PipelinedTransaction {
  private static final String IN_FAILED_TRANSACTION = "25P02";

  private final SqlConnection connection;
  private final List<Future<RowSet<Row>>> sent = new ArrayList<>();

  public PipelinedTransaction(SqlConnection connection) {
    this.connection = connection;
    sent.add(connection.query("begin").execute());
  }

  public Future<RowSet<Row>> send(String sql, Tuple arguments) {
    Future<RowSet<Row>> result = connection.preparedQuery(sql).execute(arguments);
    sent.add(result);
    return result;
  }

  /**
   * Sends the commit. Fails with the server's first refusal, which says that nothing was written,
   * or with another failure, after which the outcome is unknown.
   */
  public Future<Void> commit() {
    Future<RowSet<Row>> committed = connection.query("commit").execute();
    Promise<Void> promise = Promise.promise();
    Future.join(sent)
        .onComplete(
            all ->
                committed.onComplete(
                    done -> {
                      Throwable refused = firstRefusal();
                      if (refused != null) {
                        promise.fail(refused);
                      } else if (all.failed()) {
                        promise.fail(all.cause());
                      } else if (done.failed()) {
                        promise.fail(new CommitUnanswered(done.cause()));
                      } else {
                        promise.complete();
                      }
                    }));
    return promise.future();
  }

  /** The refusal that the others follow from. */
  private Throwable firstRefusal() {
    Throwable first = null;
    for (Future<?> future : sent) {
      if (future.failed() && future.cause() instanceof PgException refusal) {
        if (!IN_FAILED_TRANSACTION.equals(refusal.getSqlState())) {
          return refusal;
        }
        first = first == null ? refusal : first;
      }
    }
    return first;
  }

  /** The commit itself failed: it may have happened. */
  public static final class CommitUnanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommitUnanswered(Throwable cause) {
      super("the commit was not answered", cause);
    }
  }
}
