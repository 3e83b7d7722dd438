package io.spillway.server.jobs;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.security.Caller;
import io.spillway.server.sse.EventStreams;
import io.spillway.server.sse.FeedItem;
import io.spillway.server.sse.FeedPosition;
import io.spillway.server.sse.JournalPages;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A job's events, from the commit that took it on. */
@ApplicationScoped
public class JobHistory {
  private final JobReading reading;
  private final JournalPages pages;
  private final EventStreams streams;

  JobHistory(JobReading reading, JournalPages pages, EventStreams streams) {
    this.reading = reading;
    this.pages = pages;
    this.streams = streams;
  }

  public Uni<Paged<EventAnswer>> page(
      Caller caller, JobId id, Optional<FeedPosition> after, int limit) {
    return reading
        .row(caller, id)
        .chain(
            row ->
                row.takenSeq().isEmpty()
                    ? Uni.createFrom().item(new Paged<EventAnswer>(List.of(), Optional.empty()))
                    : pages
                        .read(
                            new JournalPages.Query(
                                start(row, after), Optional.of(row.id), of(row), limit))
                        .map(JobHistory::answer));
  }

  public Multi<OutboundSseEvent> stream(
      Caller caller, JobId id, Optional<FeedPosition> after, Sse sse) {
    streams.mustHaveRoom();
    Multi<OutboundSseEvent> events =
        reading
            .row(caller, id)
            .onItem()
            .transformToMulti(
                row ->
                    streams.stream(
                        sse,
                        new EventStreams.Request(
                            start(row, after),
                            Optional.of(row.id),
                            of(row),
                            item -> Optional.of(EventAnswer.of(item)))));
    return EventStreams.orProblem(events, sse, "/api/v1/jobs/" + id + "/events");
  }

  private static Paged<EventAnswer> answer(JournalPages.Page page) {
    return new Paged<>(
        page.items().stream().map(EventAnswer::of).toList(),
        page.atHead() ? Optional.empty() : Optional.of(page.reached().toString()));
  }

  private static Predicate<FeedItem> of(JobRow row) {
    return item -> item.job().filter(row.id::equals).isPresent();
  }

  /** Nothing of the job lies before the commit that took it. */
  private static FeedPosition start(JobRow row, Optional<FeedPosition> after) {
    FeedPosition taken =
        row.takenSeq().map(seq -> FeedPosition.afterRow(seq - 1)).orElse(FeedPosition.START);
    return after.filter(position -> position.compareTo(taken) > 0).orElse(taken);
  }
}
