package io.spillway.server.store;

import io.spillway.server.loop.LeaderToken;
import io.spillway.server.loop.Leadership;
import io.spillway.server.loop.SteadyClock;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The lease: renewed by its own thread while it is held, taken when it is free. Held by this
 * process's clock only as long as the last renewal allows, counted from before it was sent.
 */
public final class PgLeadership implements Leadership, AutoCloseable {
  private static final Logger LOG = Logger.getLogger(PgLeadership.class.getName());

  private static final String RENEW =
      """
      update leader_lease set expires_at = clock_timestamp() + make_interval(secs => $3),
        renewed_at = clock_timestamp(), address = $4
      where cell = $1 and holder = $2
      """;
  private static final String TAKE = "select take_lead($1, $2, $3, make_interval(secs => $4))";
  private static final String RELEASE =
      """
      update leader_lease set expires_at = clock_timestamp() - interval '1 millisecond'
      where cell = $1 and holder = $2
      """;

  private final Database database;
  private final Settings settings;
  private final SteadyClock clock;
  private final Runnable changed;
  private final String holder = UUID.randomUUID().toString();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> Thread.ofPlatform().name("spillway-lease").daemon().unstarted(work));

  private volatile Held held = Held.NONE;
  private volatile Duration skew = Duration.ZERO;
  private volatile boolean closing;

  /**
   * @param clock told here that it is right, as often as the lease is looked at
   * @param changed called when the lease was won or lost
   */
  public PgLeadership(Database database, Settings settings, SteadyClock clock, Runnable changed) {
    this.database = database;
    this.settings = settings;
    this.clock = clock;
    this.changed = changed;
  }

  /**
   * @param address where this replica is reached, stored in the lease
   * @param lease how long one lasts
   * @param renew between two renewals or looks
   * @param maxSkew largest difference between this clock and the database's with which it may lead
   */
  public record Settings(
      String cell, String address, Duration lease, Duration renew, Duration maxSkew) {}

  private record Held(Optional<LeaderToken> token, long untilNanos) {
    static final Held NONE = new Held(Optional.empty(), 0);
  }

  /** Looks at once and from then on regularly. */
  public void start() {
    var _ =
        thread.scheduleAtFixedRate(
            this::tick, 0, settings.renew().toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public Optional<LeaderToken> current() {
    Held now = held;
    return now.token().isPresent() && System.nanoTime() - now.untilNanos() < 0
        ? now.token()
        : Optional.empty();
  }

  @Override
  public void lost(LeaderToken token) {
    if (held.token().filter(token::equals).isPresent()) {
      held = Held.NONE;
    }
  }

  /** How far this clock is from the database's; the sign says nothing. */
  public Duration skew() {
    return skew;
  }

  /** Whether the clock is near enough to lead. */
  public boolean clockIsFine() {
    return skew.compareTo(settings.maxSkew()) <= 0;
  }

  private void tick() {
    try {
      long before = System.nanoTime();
      measureSkew();
      if (closing) {
        return;
      }
      if (!clockIsFine()) {
        LOG.severe(() -> "this clock differs from the database's by " + skew + ": may not lead");
        if (held.token().isPresent()) {
          release();
        }
      } else if (held.token().isPresent()) {
        renew(before);
      } else {
        take(before);
      }
    } catch (RuntimeException unanswered) { // the lease runs out by itself
      LOG.log(Level.FINE, "the lease could not be looked at", unanswered);
    }
  }

  private void measureSkew() {
    Instant sent = clock.wall();
    Instant theirs =
        query("select clock_timestamp()", Tuple.tuple())
            .iterator()
            .next()
            .getOffsetDateTime(0)
            .toInstant();
    Instant received = clock.wall();
    // Somewhere in between they read their clock.
    if (theirs.isBefore(sent)) {
      skew = Duration.between(theirs, sent);
    } else if (theirs.isAfter(received)) {
      skew = Duration.between(received, theirs);
    } else {
      skew = Duration.ZERO;
    }
    if (clockIsFine()) {
      clock.anchor(received);
    }
  }

  private void renew(long before) {
    RowSet<Row> renewed =
        query(RENEW, Tuple.of(settings.cell(), holder, seconds(), settings.address()));
    Held now = held;
    if (now.token().isEmpty()) {
      return;
    }
    if (renewed.rowCount() == 1) {
      held = new Held(now.token(), before + settings.lease().toNanos());
    } else {
      LOG.warning("the lease was taken by another");
      held = Held.NONE;
      changed.run();
    }
  }

  private void take(long before) {
    Long epoch =
        query(TAKE, Tuple.of(settings.cell(), holder, settings.address(), seconds()))
            .iterator()
            .next()
            .getLong(0);
    if (epoch != null) {
      held = new Held(Optional.of(new LeaderToken(epoch)), before + settings.lease().toNanos());
      LOG.info(() -> "the lease is ours epoch=" + epoch);
      changed.run();
    }
  }

  private void release() {
    held = Held.NONE;
    query(RELEASE, Tuple.of(settings.cell(), holder));
    changed.run();
  }

  private double seconds() {
    return settings.lease().toMillis() / 1_000.0;
  }

  private RowSet<Row> query(String sql, Tuple arguments) {
    return Blocking.await(database.pool().preparedQuery(sql).execute(arguments), settings.lease());
  }

  /** Stops renewing, keeps the token for the cycle that runs. */
  public void stopRenewing() {
    closing = true;
  }

  /** Lets another lead at once; the loop has ended. */
  @Override
  public void close() {
    closing = true;
    thread.shutdown();
    try {
      if (!thread.awaitTermination(settings.lease().toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
      query(RELEASE, Tuple.of(settings.cell(), holder));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException unanswered) { // it runs out by itself
      LOG.log(Level.FINE, "the lease could not be released", unanswered);
    }
    held = Held.NONE;
  }
}
