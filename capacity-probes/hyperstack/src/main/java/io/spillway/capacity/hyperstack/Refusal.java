package io.spillway.capacity.hyperstack;

import io.spillway.capacity.http.HttpAnswer;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.Redaction;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A failure with HTTP 200: {@code "status": false}. */
final class Refusal {
  private static final MarketKey NOWHERE =
      new MarketKey("hyperstack", "", "", "", "", CapacityType.ON_DEMAND, Optional.empty());

  private final FailureClassifier classifier = HyperstackFailures.classifier();
  private final Redaction redaction;

  Refusal(AccountSettings account) {
    this.redaction = new Redaction(account.credentials().values());
  }

  /** The answer, or what it says that went wrong. */
  CompletableFuture<JsonView> unless(HttpAnswer answer) {
    JsonView json = answer.json();
    if (json.flag("status", true)) {
      return CompletableFuture.completedFuture(json);
    }
    String words = json.optionalText("message").orElse("no message");
    Failure failure = new Failure(NOWHERE, "", words, 200, Instant.EPOCH);
    return CompletableFuture.failedFuture(
        new ProbeException(
            classifier.classify(failure).failureClass(),
            "status false: " + redaction.of(words),
            Optional.empty(),
            null));
  }
}
