package io.spillway.server.events;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.inbox.Inbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.InstantSource;
import java.util.List;

/** Events posted by REST: read, appended, answered. */
@ApplicationScoped
public class DirectProviderEvents implements ProviderEvents {
  private final EventReader reader;
  private final Inbox inbox;
  private final InstantSource clock;
  private final MeterRegistry metrics;

  @Inject
  DirectProviderEvents(
      EventReader reader, Inbox inbox, InstantSource clock, MeterRegistry metrics) {
    this.reader = reader;
    this.inbox = inbox;
    this.clock = clock;
    this.metrics = metrics;
  }

  @Override
  public Uni<Answer> accept(String json, String actor) {
    Normalized normalized = reader.read(json, clock.instant());
    EventInputs read = EventInputs.of(normalized);
    metrics
        .counter("spillway.events.consumed", "source", "rest", "result", read.result())
        .increment();
    return append(Lane.NOTICES, actor, read)
        .chain(() -> append(Lane.REPORTS, actor, read))
        .replaceWith(() -> answer(normalized, read));
  }

  /** Both lanes are no transaction; whoever tells a batch again repeats what changes nothing. */
  private Uni<?> append(Lane lane, String actor, EventInputs read) {
    List<Input> inputs = read.inputs().stream().filter(input -> input.lane() == lane).toList();
    return inputs.isEmpty() ? Uni.createFrom().voidItem() : inbox.append(lane, actor, inputs);
  }

  private static Answer answer(Normalized normalized, EventInputs read) {
    if (read.problem().isPresent()) {
      return new Answer.NotUnderstood(read.problem().get());
    }
    if (!read.inputs().isEmpty()) {
      return new Answer.Taken(read.inputs().size());
    }
    return new Answer.NothingToDo(
        normalized instanceof Irrelevant irrelevant ? irrelevant.type() : "event");
  }
}
