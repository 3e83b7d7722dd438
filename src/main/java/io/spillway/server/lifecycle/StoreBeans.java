package io.spillway.server.lifecycle;

import io.spillway.server.codec.StoreCodec;
import io.spillway.server.config.ReplicaConfig;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.InboxBell;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.inbox.Submissions;
import io.spillway.server.store.Database;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The store's plain classes as beans. */
@ApplicationScoped
class StoreBeans {

  @Produces
  @Singleton
  Database database(
      Vertx vertx,
      @ConfigProperty(name = "quarkus.datasource.reactive.url") String url,
      @ConfigProperty(name = "quarkus.datasource.username") String user,
      @ConfigProperty(name = "quarkus.datasource.password") String password) {
    return new Database(vertx, url, user, password);
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

  private static String processName() {
    try {
      return InetAddress.getLocalHost().getHostName() + "-" + ProcessHandle.current().pid();
    } catch (UnknownHostException e) {
      return "unknown-" + ProcessHandle.current().pid();
    }
  }
}
