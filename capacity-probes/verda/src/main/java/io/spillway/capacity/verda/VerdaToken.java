package io.spillway.capacity.verda;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.HttpAnswer;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * The access token that {@code POST /oauth2/token} gives for a client's id and secret: kept until a
 * minute before its end, and asked for anew, once, when a call is refused in spite of it.
 */
final class VerdaToken {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration BEFORE_ITS_END = Duration.ofMinutes(1);
  private static final int LONGEST_SECONDS = 7 * 24 * 3_600;

  private final HttpCall call;
  private volatile Token token = new Token("", Instant.MIN);

  private record Token(String value, Instant until) {}

  VerdaToken(AccountSettings account) {
    String id = Credentials.required(account, "client-id");
    String secret = Credentials.required(account, "client-secret");
    this.call =
        HttpCall.post(
            "/oauth2/token",
            JSON.createObjectNode()
                .put("grant_type", "client_credentials")
                .put("client_id", id)
                .put("client_secret", secret)
                .toString());
  }

  /** Does something with a call's header, and once more with a fresh token if it is refused. */
  <T> CompletableFuture<T> with(ProbeRun run, Function<String, CompletableFuture<T>> work) {
    Token known = token;
    if (!known.until().isAfter(run.now())) {
      return fresh(run).thenCompose(work);
    }
    return work.apply(header(known))
        .exceptionallyCompose(
            failure ->
                isRefusal(failure)
                    ? fresh(run).thenCompose(work)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<String> fresh(ProbeRun run) {
    return run.send(call)
        .thenApply(
            answer -> {
              token = read(answer, run.now());
              return header(token);
            });
  }

  private static Token read(HttpAnswer answer, Instant now) {
    int seconds = answer.json().integer("expires_in");
    Duration life = Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_SECONDS));
    return new Token(answer.json().text("access_token"), now.plus(life).minus(BEFORE_ITS_END));
  }

  private static String header(Token token) {
    return "Bearer " + token.value();
  }

  private static boolean isRefusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ProbeException refused && refused.failureClass() == FailureClass.AUTH;
  }
}
