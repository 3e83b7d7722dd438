package io.spillway.capacity.runpod;

import io.spillway.capacity.http.HttpAnswer;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.Redaction;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A GraphQL answer: HTTP 200 with {@code data}, {@code errors}, or both. Errors beside data are
 * told; errors alone are a failure of the kind that their words say.
 */
final class GraphQl {
  private static final MarketKey NOWHERE =
      new MarketKey("runpod", "", "", "", "", CapacityType.ON_DEMAND, Optional.empty());

  private final FailureClassifier classifier = RunPodFailures.classifier();
  private final Redaction redaction;

  GraphQl(AccountSettings account) {
    this.redaction = new Redaction(account.credentials().values());
  }

  /** The list of that name in the data. */
  CompletableFuture<List<JsonView>> list(HttpAnswer answer, String name, ProbeRun run) {
    List<JsonView> errors = answer.json().optionalList("errors");
    Optional<JsonView> data = answer.json().optionalObject("data").filter(found -> found.has(name));
    if (data.isEmpty() && !errors.isEmpty()) {
      return CompletableFuture.failedFuture(failure(errors.getFirst()));
    }
    errors.forEach(error -> run.warn(name + ": " + words(error)));
    return CompletableFuture.completedFuture(answer.json().object("data").list(name));
  }

  private ProbeException failure(JsonView error) {
    String code =
        error.optionalObject("extensions").flatMap(more -> more.optionalText("code")).orElse("");
    Failure failure = new Failure(NOWHERE, code, words(error), 200, Instant.EPOCH);
    return new ProbeException(
        classifier.classify(failure).failureClass(),
        "graphql: " + redaction.of(words(error)),
        Optional.empty(),
        null);
  }

  private static String words(JsonView error) {
    return error.optionalText("message").orElse("an error without a message");
  }
}
