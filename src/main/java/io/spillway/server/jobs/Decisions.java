package io.spillway.server.jobs;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import io.spillway.server.sse.EventStreams;
import io.spillway.server.sse.FeedItem;
import io.spillway.server.sse.FeedPosition;
import io.spillway.server.sse.JournalPages;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.util.Optional;
import java.util.function.Predicate;

/** What the scheduler decided, oldest first. A confined caller asks for one of its jobs. */
@ApplicationScoped
public class Decisions {
  private final JobReading reading;
  private final JournalPages pages;
  private final EventStreams streams;

  Decisions(JobReading reading, JournalPages pages, EventStreams streams) {
    this.reading = reading;
    this.pages = pages;
    this.streams = streams;
  }

  public Uni<Paged<Decision>> page(
      Caller caller, Optional<JobId> job, Optional<FeedPosition> after, int limit) {
    return start(caller, job, after)
        .chain(
            from ->
                pages.read(new JournalPages.Query(from, job.map(JobId::value), wanted(job), limit)))
        .map(
            page ->
                new Paged<>(
                    page.items().stream().flatMap(item -> Decision.of(item).stream()).toList(),
                    page.atHead() ? Optional.empty() : Optional.of(page.reached().toString())));
  }

  /** From {@code after}, or from now on. */
  public Multi<OutboundSseEvent> stream(Caller caller, Optional<FeedPosition> after, Sse sse) {
    if (caller.isConfined()) {
      throw new Refused(
          ProblemType.FORBIDDEN, "this token sees its own jobs: follow /jobs/{id}/events");
    }
    EventStreams.Place place = streams.take();
    Uni<FeedPosition> start =
        after
            .map(position -> Uni.createFrom().item(position))
            .orElseGet(() -> pages.head().map(FeedPosition::afterRow));
    return EventStreams.within(
        place,
        start
            .onItem()
            .transformToMulti(
                from ->
                    streams.stream(
                        sse,
                        new EventStreams.Request(
                            from,
                            Optional.empty(),
                            Decisions::isDecision,
                            item -> Decision.of(item).map(Object.class::cast)))));
  }

  private Uni<FeedPosition> start(
      Caller caller, Optional<JobId> job, Optional<FeedPosition> after) {
    if (job.isPresent()) {
      return reading.row(caller, job.get()).chain(row -> JobHistory.start(pages, row, after));
    }
    if (caller.isConfined()) {
      throw Refused.field(
          ProblemType.INVALID_REQUEST, "job", "is required with a token that sees its own jobs");
    }
    return Uni.createFrom().item(after.orElse(FeedPosition.START));
  }

  private static boolean isDecision(FeedItem item) {
    return Decision.of(item).isPresent();
  }

  private static Predicate<FeedItem> wanted(Optional<JobId> job) {
    return item ->
        isDecision(item)
            && job.map(id -> item.job().filter(id.value()::equals).isPresent()).orElse(true);
  }
}
