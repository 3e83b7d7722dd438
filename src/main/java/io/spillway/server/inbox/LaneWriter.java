package io.spillway.server.inbox;

import io.spillway.scheduler.input.Lane;
import io.spillway.server.store.Database;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A writer of a lane in this process. One insert batch is in flight; what comes meanwhile is the
 * next batch, so the batches grow with the load. A batch whose outcome is unknown ends the writer:
 * the next one has another id.
 */
final class LaneWriter {
  private static final int MAX_BATCH = 2_000;
  private static final int MAX_WAITING = 50_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Database database;
  private final String cell;
  private final String replica;
  private final Lane lane;
  private final InboxBell bell;
  private final Consumer<List<PendingItem.Job>> repeats;

  private final Deque<PendingItem> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean closed;

  // Touched by the one batch in flight only.
  private volatile PgConnection connection;
  private WriterId writer;
  private boolean registered;
  private long next = 1;

  /**
   * @param repeats takes the jobs whose idempotency key was there before
   */
  LaneWriter(
      Database database,
      String cell,
      String replica,
      Lane lane,
      InboxBell bell,
      Consumer<List<PendingItem.Job>> repeats) {
    this.database = database;
    this.cell = cell;
    this.replica = replica;
    this.lane = lane;
    this.bell = bell;
    this.repeats = repeats;
    this.writer = WriterId.fresh(cell, lane, replica);
  }

  /** Adds the items to the next batch; any thread. */
  void add(List<? extends PendingItem> items) {
    synchronized (waiting) {
      if (closed || waiting.size() + items.size() > MAX_WAITING) {
        String why = closed ? "the server is stopping" : "the inbox is full";
        items.forEach(item -> item.fail(new Inbox.StoreUnavailable(why, null)));
        return;
      }
      waiting.addAll(items);
      if (busy) {
        return;
      }
      busy = true;
    }
    writeNext();
  }

  /** Takes nothing more; what waits is still written. */
  void close() {
    synchronized (waiting) {
      closed = true;
    }
  }

  boolean isIdle() {
    synchronized (waiting) {
      return !busy;
    }
  }

  private void writeNext() {
    List<PendingItem> batch = new ArrayList<>();
    synchronized (waiting) {
      while (batch.size() < MAX_BATCH && !waiting.isEmpty()) {
        batch.add(waiting.poll());
      }
      if (batch.isEmpty()) {
        busy = false;
        return;
      }
    }
    write(batch).onComplete(done -> writeNext());
  }

  /** Never fails: every item is told. */
  private Future<Void> write(List<PendingItem> items) {
    return database
        .within(PATIENCE, connected().compose(open -> send(open, items)))
        .map(
            settlement -> {
              registered = true;
              bell.ring();
              List<PendingItem.Job> repeated = settlement.complete();
              if (!repeated.isEmpty()) {
                repeats.accept(repeated);
              }
              return (Void) null;
            })
        .recover(failure -> failed(items, failure));
  }

  private Future<Settlement> send(PgConnection open, List<PendingItem> items) {
    InboxBatch batch = new InboxBatch(writer, items, next);
    Future<Settlement> written = batch.write(open, !registered, bell.notifyNow());
    next = batch.nextSeq();
    return written;
  }

  private Future<Void> failed(List<PendingItem> items, Throwable failure) {
    if (failure instanceof PgException refused && isAboutTheData(refused)) {
      // The server rolled all back because of one: find it by halves.
      if (items.size() == 1) {
        items.getFirst().fail(new Inbox.Unstorable(refused.getMessage(), refused));
        return Future.succeededFuture();
      }
      int half = items.size() / 2;
      return write(items.subList(0, half))
          .compose(first -> write(items.subList(half, items.size())));
    }
    if (connection != null) {
      connection.close();
      connection = null;
    }
    writer = WriterId.fresh(cell, lane, replica);
    registered = false;
    next = 1;
    Inbox.StoreUnavailable unavailable =
        new Inbox.StoreUnavailable("the store did not take it: " + failure.getMessage(), failure);
    items.forEach(item -> item.fail(unavailable));
    return Future.succeededFuture();
  }

  /** Data, integrity and size errors; everything else is the database's trouble. */
  private static boolean isAboutTheData(PgException refused) {
    String state = refused.getSqlState();
    return state != null
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
  }

  private Future<PgConnection> connected() {
    if (connection != null) {
      return Future.succeededFuture(connection);
    }
    return database
        .connect()
        .onSuccess(
            open -> {
              connection = open;
              open.closeHandler(
                  gone -> {
                    if (connection == open) {
                      connection = null;
                    }
                  });
            });
  }
}
