package io.spillway.server.problem;

import io.spillway.server.inbox.Inbox;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.net.ConnectException;
import java.util.Locale;

/** Tells a database that cannot be reached from a mistake of ours. */
final class StoreFailures {
  private static final int MAX_CAUSES = 12;

  private StoreFailures() {}

  static boolean isUnavailable(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof ClosedConnectionException
          || cause instanceof Inbox.StoreUnavailable
          || (cause instanceof PgException pg && saysUnavailable(pg))
          || isPoolMessage(cause)) {
        return true;
      }
    }
    return false;
  }

  /** Connection exceptions (08), too many connections (53), operator intervention (57P). */
  private static boolean saysUnavailable(PgException pg) {
    String state = pg.getSqlState();
    return state != null
        && (state.startsWith("08") || state.startsWith("53") || state.startsWith("57P"));
  }

  /** The pool and the driver report these with types of their own that carry only a text. */
  private static boolean isPoolMessage(Throwable cause) {
    String message = cause.getMessage();
    if (message == null || !cause.getClass().getName().startsWith("io.vertx.")) {
      return false;
    }
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.equals("timeout")
        || lower.contains("connection is not active")
        || lower.contains("pool closed")
        || lower.contains("connection was closed")
        || lower.contains("fail to read any response");
  }
}
