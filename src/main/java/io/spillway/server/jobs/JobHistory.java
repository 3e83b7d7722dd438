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
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** A job's events, from its submit on. */
@ApplicationScoped
public class JobHistory {
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

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
                start(pages, row, after)
                    .chain(
                        from ->
                            pages.read(
                                new JournalPages.Query(from, Optional.of(row.id), of(row), limit)))
                    .map(JobHistory::answer));
  }

  public Multi<OutboundSseEvent> stream(
      Caller caller, JobId id, Optional<FeedPosition> after, Sse sse) {
    EventStreams.Place place = streams.take();
    Multi<OutboundSseEvent> events =
        reading
            .row(caller, id)
            .chain(row -> start(pages, row, after).map(from -> request(row, from)))
            .onItem()
            .transformToMulti(request -> streams.stream(sse, request));
    return EventStreams.within(
        place, EventStreams.orProblem(events, sse, "/api/v1/jobs/" + id + "/events"));
  }

  private static Paged<EventAnswer> answer(JournalPages.Page page) {
    return new Paged<>(
        page.items().stream().map(EventAnswer::of).toList(),
        page.atHead() ? Optional.empty() : Optional.of(page.reached().toString()));
  }

  private static Predicate<FeedItem> of(JobRow row) {
    return item -> item.job().filter(row.id::equals).isPresent();
  }

  private static EventStreams.Request request(JobRow row, FeedPosition from) {
    return new EventStreams.Request(
        from, Optional.of(row.id), of(row), item -> Optional.of(EventAnswer.of(item)));
  }

  /** Nothing of the job lies before its submit; the clocks of database and leader may differ. */
  static Uni<FeedPosition> start(JournalPages pages, JobRow row, Optional<FeedPosition> after) {
    return after
        .map(position -> Uni.createFrom().item(position))
        .orElseGet(() -> pages.before(row.submittedAt.minus(CLOCKS_DIFFER)));
  }
}
