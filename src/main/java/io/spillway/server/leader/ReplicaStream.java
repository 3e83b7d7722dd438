package io.spillway.server.leader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.problem.RetryLater;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.core.http.HttpClient;
import io.vertx.mutiny.core.http.HttpClientResponse;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * A long answer of another replica, passed on as it comes and no faster than it is read, with the
 * caller's own token.
 */
@ApplicationScoped
public class ReplicaStream {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** A log that is followed keeps its connection; the client's usual five to a replica are few. */
  private static final int MOST_AT_ONCE = 1_000;

  private final HttpClient http;

  ReplicaStream(Vertx vertx) {
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions().setConnectTimeout(1_000),
            new PoolOptions().setHttp1MaxSize(MOST_AT_ONCE));
  }

  @PreDestroy
  void close() {
    http.closeAndForget();
  }

  /** Fails with {@link Refused} or {@link RetryLater}, in the other replica's words. */
  public Uni<Multi<byte[]>> get(String address, String path, String authorization) {
    return http.request(
            LeaderCall.onBehalf(
                address, path, authorization, "text/plain, application/problem+json"))
        .chain(request -> request.send())
        .onFailure()
        .transform(lost -> later("the replica that hears the agent does not answer"))
        .chain(ReplicaStream::answered);
  }

  private static Uni<Multi<byte[]>> answered(HttpClientResponse response) {
    if (response.statusCode() == 200) {
      response.pause();
      return Uni.createFrom()
          .item(
              response
                  .toMulti()
                  .map(Buffer::getBytes)
                  .onCancellation()
                  .invoke(() -> response.request().reset()));
    }
    return response
        .body()
        .map(
            body -> {
              throw problem(response.statusCode(), body.toString());
            });
  }

  private static RuntimeException problem(int status, String body) {
    Optional<ProblemType> type =
        Arrays.stream(ProblemType.values())
            .filter(known -> known.status() == status && known.status() < 500)
            .filter(known -> body.contains(known.uri()))
            .findFirst();
    return type.<RuntimeException>map(known -> new Refused(known, detail(body)))
        .orElseGet(() -> later(detail(body)));
  }

  private static RetryLater later(String detail) {
    return new RetryLater(ProblemType.NOT_CONNECTED, detail, RETRY);
  }

  private static String detail(String body) {
    try {
      return JSON.readTree(body).path("detail").asText();
    } catch (JsonProcessingException e) {
      return "the replica that hears the agent gave no readable answer";
    }
  }
}
