package io.spillway.server.leader;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.hibernate.reactive.mutiny.Mutiny;
import org.jboss.logging.Logger;

/**
 * Asks the leader's replica over HTTP, with the caller's own token. Whatever goes wrong is an empty
 * answer: the caller of this has something else to say.
 */
@ApplicationScoped
public class LeaderCall {
  /** Tells the leader's side not to ask on. */
  public static final String FORWARDED = "Spillway-Forwarded";

  private static final Logger LOG = Logger.getLogger(LeaderCall.class);

  private final Mutiny.SessionFactory sessions;
  private final HttpClient http;

  LeaderCall(Mutiny.SessionFactory sessions, Vertx vertx) {
    this.sessions = sessions;
    this.http = vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(250));
  }

  @PreDestroy
  void close() {
    http.close();
  }

  /** The body of a 200, or empty. */
  public Uni<Optional<String>> get(String path, String authorization, Duration patience) {
    return address()
        .chain(
            address ->
                address
                    .map(to -> call(to, path, authorization, patience))
                    .orElseGet(() -> Uni.createFrom().item(Optional.empty())))
        .ifNoItem()
        .after(patience)
        .recoverWithItem(Optional.empty())
        .onFailure()
        .recoverWithItem(
            failure -> {
              LOG.debugf("leader not asked path=%s: %s", path, failure.toString());
              return Optional.empty();
            });
  }

  private Uni<Optional<String>> address() {
    return sessions.withStatelessSession(
        session ->
            session
                .createNativeQuery(
                    """
                    select address from leader_lease
                    where cell = 'main' and expires_at > clock_timestamp()
                    """,
                    String.class)
                .getSingleResultOrNull()
                .map(address -> Optional.ofNullable(address).filter(a -> !a.isBlank())));
  }

  /** A call of another replica on the caller's behalf, which that one does not pass on. */
  static RequestOptions onBehalf(String address, String path, String authorization, String accept) {
    URI replica = URI.create(address.contains("://") ? address : "http://" + address);
    boolean tls = "https".equalsIgnoreCase(replica.getScheme());
    int usual = tls ? 443 : 80;
    return new RequestOptions()
        .setMethod(HttpMethod.GET)
        .setSsl(tls)
        .setHost(replica.getHost())
        .setPort(replica.getPort() < 0 ? usual : replica.getPort())
        .setURI(path)
        .putHeader("Authorization", authorization)
        .putHeader("Accept", accept)
        .putHeader(FORWARDED, "1");
  }

  private Uni<Optional<String>> call(
      String leader, String path, String authorization, Duration patience) {
    RequestOptions options =
        onBehalf(leader, path, authorization, "application/json").setTimeout(patience.toMillis());
    return Uni.createFrom()
        .completionStage(
            () ->
                http.request(options)
                    .compose(request -> request.send())
                    .compose(
                        response -> response.body().map(body -> ok(response.statusCode(), body)))
                    .toCompletionStage());
  }

  private static Optional<String> ok(int status, Buffer body) {
    return status == 200 ? Optional.of(body.toString()) : Optional.empty();
  }
}
