package io.spillway.capacity.vast;

import io.spillway.capacity.http.JsonView;
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
import java.util.concurrent.CompletionException;

/** A failure with HTTP 200: {@code "success": false}. */
final class Refusal {
  private static final MarketKey NOWHERE =
      new MarketKey("vast", "", "", "", "", CapacityType.ON_DEMAND, Optional.empty());

  private final FailureClassifier classifier = VastFailures.classifier();
  private final Redaction redaction;

  Refusal(AccountSettings account) {
    this.redaction = new Redaction(account.credentials().values());
  }

  /**
   * The offers of an answer.
   *
   * @throws CompletionException with the {@link ProbeException}, if it says that it failed
   */
  List<JsonView> offers(JsonView answer) {
    if (answer.flag("success", true)) {
      return answer.list("offers");
    }
    String code = answer.optionalText("error").orElse("");
    String words = answer.optionalText("msg").orElse("no message");
    Failure failure = new Failure(NOWHERE, code, words, 200, Instant.EPOCH);
    throw new CompletionException(
        new ProbeException(
            classifier.classify(failure).failureClass(),
            "success false: " + redaction.of(code + ' ' + words),
            Optional.empty(),
            null));
  }
}
