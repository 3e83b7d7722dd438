package io.spillway.server.events;

import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput.FailureObserved;
import io.spillway.scheduler.input.MarketInput.NoticeReceived;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The inputs that an event or a batch of events brings, and what of it was not understood.
 *
 * @param inputs of one event all of one lane; of a batch in its order
 * @param result a closed set for metrics, of a batch the first that fits: notice, failure,
 *     malformed or irrelevant
 * @param problem why it, or a part of it, was not understood
 */
public record EventInputs(List<Input> inputs, String result, Optional<String> problem) {
  private static final List<String> RESULTS = List.of("notice", "failure", "malformed");

  /** The record is in the dead letters; its reason need not name every event. */
  private static final int MAX_PROBLEMS = 5;

  /** Reads a normaliser's answer. */
  public static EventInputs of(Normalized normalized) {
    return switch (normalized) {
      case Notices n -> of(n);
      case Failures f ->
          new EventInputs(
              f.failures().stream().<Input>map(FailureObserved::new).toList(),
              "failure",
              Optional.empty());
      case Irrelevant i -> new EventInputs(List.of(), "irrelevant", Optional.empty());
      case Malformed m -> new EventInputs(List.of(), "malformed", Optional.of(m.reason()));
      case NotMine n ->
          new EventInputs(List.of(), "malformed", Optional.of("no provider knows this event"));
      case Several s -> of(s.parts());
    };
  }

  /**
   * That an instance runs changes no decision: its agent says so itself. A large account's bus
   * carries many of these.
   */
  private static EventInputs of(Notices notices) {
    List<Input> inputs =
        notices.notices().stream()
            .filter(notice -> notice.kind() != Kind.RUNNING)
            .<Input>map(NoticeReceived::new)
            .toList();
    return new EventInputs(inputs, inputs.isEmpty() ? "irrelevant" : "notice", Optional.empty());
  }

  private static EventInputs of(List<Normalized> parts) {
    List<Input> inputs = new ArrayList<>();
    Set<String> results = new HashSet<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      EventInputs part = of(parts.get(i));
      inputs.addAll(part.inputs());
      results.add(part.result());
      if (part.problem().isPresent() && problems.size() < MAX_PROBLEMS) {
        problems.add(
            "event %d of %d: %s".formatted(i + 1, parts.size(), part.problem().orElseThrow()));
      }
    }
    return new EventInputs(
        List.copyOf(inputs),
        RESULTS.stream().filter(results::contains).findFirst().orElse("irrelevant"),
        problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems)));
  }
}
