package io.spillway.server.events;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.server.inbox.Inbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.InstantSource;

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
    if (read.problem().isPresent()) {
      return Uni.createFrom().item(new Answer.NotUnderstood(read.problem().get()));
    }
    if (read.inputs().isEmpty()) {
      String type = normalized instanceof Irrelevant irrelevant ? irrelevant.type() : "event";
      return Uni.createFrom().item(new Answer.NothingToDo(type));
    }
    return inbox
        .append(read.inputs().getFirst().lane(), actor, read.inputs())
        .replaceWith(new Answer.Taken(read.inputs().size()));
  }
}
