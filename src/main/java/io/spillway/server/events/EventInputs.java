package io.spillway.server.events;

import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput.FailureObserved;
import io.spillway.scheduler.input.MarketInput.NoticeReceived;
import java.util.List;
import java.util.Optional;

/**
 * The inputs that an event brings, or why it brings none.
 *
 * @param inputs all of one lane
 * @param result a closed set for metrics: notice, failure, irrelevant or malformed
 * @param problem why it was not understood
 */
public record EventInputs(List<Input> inputs, String result, Optional<String> problem) {

  /** Reads a normaliser's answer. */
  public static EventInputs of(Normalized normalized) {
    return switch (normalized) {
      case Notices n ->
          new EventInputs(
              n.notices().stream().<Input>map(NoticeReceived::new).toList(),
              "notice",
              Optional.empty());
      case Failures f ->
          new EventInputs(
              f.failures().stream().<Input>map(FailureObserved::new).toList(),
              "failure",
              Optional.empty());
      case Irrelevant i -> new EventInputs(List.of(), "irrelevant", Optional.empty());
      case Malformed m -> new EventInputs(List.of(), "malformed", Optional.of(m.reason()));
      case NotMine n ->
          new EventInputs(List.of(), "malformed", Optional.of("no provider knows this event"));
    };
  }
}
