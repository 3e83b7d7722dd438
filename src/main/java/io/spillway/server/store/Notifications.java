package io.spillway.server.store;

import io.spillway.server.inbox.InboxBell;
import io.vertx.pgclient.PgConnection;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Listens on a connection of its own and wakes the loop. A notification is a hint only: whatever is
 * said while the connection is down, the loop's poll finds.
 */
public final class Notifications implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Notifications.class.getName());
  private static final long AGAIN_MILLIS = 1_000;

  private final Database database;
  private final Runnable wake;
  private volatile PgConnection connection;
  private volatile boolean closed;

  public Notifications(Database database, Runnable wake) {
    this.database = database;
    this.wake = wake;
  }

  /** Connects, and again whenever the connection is lost. */
  public void start() {
    database
        .connect()
        .compose(
            open -> {
              connection = open;
              open.notificationHandler(notification -> wake.run());
              open.closeHandler(gone -> again());
              return open.query(
                      "listen " + InboxBell.CHANNEL + "; listen " + CommitStatements.CHANNEL)
                  .execute();
            })
        .onSuccess(listening -> wake.run())
        .onFailure(
            failure -> {
              LOG.log(Level.FINE, "cannot listen", failure);
              if (connection == null) {
                again();
              } else {
                connection.close();
              }
            });
  }

  private void again() {
    connection = null;
    if (!closed) {
      database.vertx().setTimer(AGAIN_MILLIS, fired -> start());
    }
  }

  @Override
  public void close() {
    closed = true;
    PgConnection open = connection;
    if (open != null) {
      open.close();
    }
  }
}
