package io.spillway.server.lifecycle;

import io.spillway.server.codec.StoreCodec;
import io.spillway.server.config.LeaderConfig;
import io.spillway.server.config.LoopConfig;
import io.spillway.server.config.ReplicaAddress;
import io.spillway.server.config.ReplicaConfig;
import io.spillway.server.config.RetentionConfig;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.InboxBell;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.inbox.Submissions;
import io.spillway.server.loop.SteadyClock;
import io.spillway.server.loop.Wake;
import io.spillway.server.progress.ProgressBook;
import io.spillway.server.store.Database;
import io.spillway.server.store.PgLeadership;
import io.spillway.server.store.PgStateStore;
import io.spillway.server.store.Retention;
import io.spillway.server.store.StoreIdentity;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The store's plain classes as beans. */
@ApplicationScoped
class StoreBeans {
  private static final Duration PROGRESS_PACE = Duration.ofSeconds(1);

  @Produces
  @Singleton
  Database database(
      Vertx vertx,
      @ConfigProperty(name = "quarkus.datasource.reactive.url") String url,
      @ConfigProperty(name = "quarkus.datasource.username") String user,
      @ConfigProperty(name = "quarkus.datasource.password") String password,
      @ConfigProperty(name = "quarkus.datasource.reactive.trust-certificate-pem.certs")
          Optional<List<String>> authorities) {
    return new Database(vertx, url, user, password, authorities.orElseGet(List::of));
  }

  @Produces
  @Singleton
  StoreCodec codec() {
    return new StoreCodec();
  }

  @Produces
  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Produces
  @Singleton
  @Typed(SteadyClock.class)
  SteadyClock steadyClock(Clock clock) {
    return new SteadyClock(clock, System::nanoTime);
  }

  @Produces
  @Singleton
  InboxBell bell() {
    return new InboxBell();
  }

  @Produces
  @Singleton
  CursorWatch watch() {
    return new CursorWatch();
  }

  @Produces
  @Singleton
  InboxGauge gauge(Database database, ReplicaConfig replica) {
    return new InboxGauge(database, replica.cell());
  }

  @Produces
  @Singleton
  PgInbox.Place place(ReplicaConfig replica) {
    return new PgInbox.Place(replica.cell(), replica.name().orElseGet(StoreBeans::processName));
  }

  @Produces
  @Singleton
  @Typed({PgInbox.class, Inbox.class, Submissions.class})
  PgInbox inbox(
      Database database,
      StoreCodec codec,
      PgInbox.Place place,
      InboxBell bell,
      CursorWatch watch,
      InboxGauge gauge,
      Clock clock) {
    return new PgInbox(database, codec, place, bell, watch, gauge, clock);
  }

  @Produces
  @Singleton
  ProgressBook progress(Database database) {
    return new ProgressBook(database.vertx(), database.pool(), PROGRESS_PACE);
  }

  @Produces
  @Singleton
  Wake wake() {
    return new Wake();
  }

  @Produces
  @Singleton
  StoreIdentity identity(Database database, ReplicaConfig replica) {
    return new StoreIdentity(database, replica.cell());
  }

  @Produces
  @Singleton
  PgStateStore stateStore(Database database, StoreCodec codec, ReplicaConfig replica) {
    return new PgStateStore(database, codec, replica.cell());
  }

  @Produces
  @Singleton
  Retention retention(Database database, ReplicaConfig replica, RetentionConfig keep) {
    return new Retention(
        database,
        replica.cell(),
        new Retention.Periods(keep.inbox(), keep.journal(), keep.evaluations()),
        keep.jobs());
  }

  @Produces
  @Singleton
  ReplicaAddress address(
      ReplicaConfig replica, @ConfigProperty(name = "quarkus.http.port") int port) {
    return new ReplicaAddress(replica.address().orElseGet(() -> hostName() + ":" + port));
  }

  @Produces
  @Singleton
  PgLeadership leadership(
      Database database,
      ReplicaConfig replica,
      LeaderConfig leader,
      ReplicaAddress address,
      SteadyClock clock,
      Wake wake) {
    return new PgLeadership(
        database,
        new PgLeadership.Settings(
            replica.cell(), address.value(), leader.lease(), leader.renew(), leader.maxClockSkew()),
        clock,
        wake::call);
  }

  @Produces
  @Singleton
  ReplicaHost.StoreParts parts(
      ReplicaConfig replica,
      StoreIdentity identity,
      Retention retention,
      PgStateStore stateStore,
      PgLeadership leadership,
      CursorWatch watch,
      Wake wake) {
    return new ReplicaHost.StoreParts(
        replica.cell(), identity, retention, stateStore, leadership, watch, wake);
  }

  @Produces
  @Singleton
  Housekeeping.Settings housekeeping(LoopConfig loop, RetentionConfig keep) {
    return Housekeeping.Settings.of(loop, keep);
  }

  private static String processName() {
    return hostName() + "-" + ProcessHandle.current().pid();
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
