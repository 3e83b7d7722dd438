package io.spillway.capacity.spi;

import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.time.Instant;

/**
 * Turns any refusal into class, scope and block time. Never throws, whatever the text; what it does
 * not know is {@code UNKNOWN} with the scope of the offering. Never reads user text or instance
 * names as capacity words. A block of zero blocks nothing: the word is about that one request
 * ({@code INVALID}), or about a call that no launch depends on.
 */
public interface FailureClassifier {

  CapacityFailure classify(Failure failure);

  /** The same for a provider whose stock comes back sooner than others': blocks grow no longer. */
  default FailureClassifier withStockBlockedAtMost(Duration longest) {
    return failure -> {
      CapacityFailure word = classify(failure);
      return word.failureClass() == FailureClass.NO_CAPACITY ? word.growingTo(longest) : word;
    };
  }

  /**
   * A refusal as it came.
   *
   * @param key where the launch was tried
   * @param code the provider's error code, or a symptom's reason; may be empty
   * @param message raw text, at most 1 KB is read
   * @param httpStatus 0 if there was none
   * @param at when it happened
   */
  record Failure(MarketKey key, String code, String message, int httpStatus, Instant at) {}
}
