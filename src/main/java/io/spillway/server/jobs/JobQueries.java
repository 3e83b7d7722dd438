package io.spillway.server.jobs;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.QueueName;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * Reads jobs. Each method is one unit of work in a session of its own; within one, statements run
 * one after the other. The items of a batch ask at the same time in the context of one request, and
 * a session that the context shares would be used by several at once.
 */
@ApplicationScoped
class JobQueries {
  private final Mutiny.SessionFactory sessions;

  JobQueries(Mutiny.SessionFactory sessions) {
    this.sessions = sessions;
  }

  private <T> Uni<T> inOwnSession(Function<Mutiny.Session, Uni<T>> work) {
    return sessions
        .openSession()
        .chain(session -> work.apply(session).onTermination().call(session::close));
  }

  /** A job with all that is stored of it. */
  record Stored(
      JobRow row, String specJson, List<AttemptRow> attempts, Optional<ProgressRow> progress) {}

  Uni<Optional<JobRow>> find(JobId id) {
    return inOwnSession(
        session -> session.find(JobRow.class, id.value()).map(Optional::ofNullable));
  }

  Uni<Optional<JobRow>> byKey(QueueName queue, String key) {
    return inOwnSession(
        session ->
            session
                .createSelectionQuery(
                    "from JobRow j where j.queue = :queue and j.idempotencyKey = :key",
                    JobRow.class)
                .setParameter("queue", queue.value())
                .setParameter("key", key)
                .getSingleResultOrNull()
                .map(Optional::ofNullable));
  }

  Uni<Optional<Stored>> stored(JobId id) {
    return inOwnSession(
        session ->
            session
                .find(JobRow.class, id.value())
                .chain(
                    row ->
                        row == null
                            ? Uni.createFrom().item(Optional.<Stored>empty())
                            : rest(session, row).map(Optional::of)));
  }

  Uni<List<AttemptRow>> attempts(JobId id) {
    return inOwnSession(session -> attempts(session, id.value()));
  }

  /** What it said last of its progress. */
  Uni<Optional<ProgressRow>> progress(JobId id) {
    return inOwnSession(
        session -> session.find(ProgressRow.class, id.value()).map(Optional::ofNullable));
  }

  /** The newest evaluation of the class; relies on the index evaluation_by_class. */
  Uni<Optional<EvaluationRow>> evaluation(String shapeClass) {
    return inOwnSession(
        session ->
            session
                .createSelectionQuery(
                    "from EvaluationRow e where e.shapeClass = :class order by e.seq desc",
                    EvaluationRow.class)
                .setParameter("class", shapeClass)
                .setMaxResults(1)
                .getSingleResultOrNull()
                .map(Optional::ofNullable));
  }

  /** Jobs of the queue that wait, counted no further than the limit; by the index job_open. */
  Uni<Long> waiting(QueueName queue, int limit) {
    return inOwnSession(
        session ->
            session
                .createNativeQuery(
                    """
                    select count(*) from (
                      select 1 from job
                      where state in ('QUEUED', 'HELD') and finished_at is null and queue = :queue
                      limit :most) as waiting
                    """,
                    Long.class)
                .setParameter("queue", queue.value())
                .setParameter("most", limit)
                .getSingleResult());
  }

  Uni<List<JobRow>> list(JobFilter filter) {
    return inOwnSession(
        session -> {
          Mutiny.SelectionQuery<String> ids = session.createNativeQuery(filter.sql(), String.class);
          filter.parameters().forEach(ids::setParameter);
          // One more than a page tells whether there is another.
          return ids.setMaxResults(filter.limit() + 1)
              .getResultList()
              .chain(found -> rows(session, found));
        });
  }

  private static Uni<List<JobRow>> rows(Mutiny.Session session, List<String> ids) {
    if (ids.isEmpty()) {
      return Uni.createFrom().item(List.of());
    }
    return session
        .createSelectionQuery("from JobRow j where j.id in :ids", JobRow.class)
        .setParameter("ids", ids)
        .getResultList()
        .map(
            rows ->
                rows.stream()
                    .sorted(Comparator.comparing((JobRow row) -> row.id).reversed())
                    .toList());
  }

  private static Uni<Stored> rest(Mutiny.Session session, JobRow row) {
    return session
        .find(JobSpecRow.class, row.id)
        .chain(
            spec ->
                attempts(session, row.id)
                    .chain(
                        attempts ->
                            session
                                .find(ProgressRow.class, row.id)
                                .map(
                                    progress ->
                                        new Stored(
                                            row,
                                            spec == null ? "{}" : spec.json,
                                            attempts,
                                            Optional.ofNullable(progress)))));
  }

  private static Uni<List<AttemptRow>> attempts(Mutiny.Session session, String job) {
    return session
        .createSelectionQuery(
            "from AttemptRow a where a.jobId = :job order by a.number", AttemptRow.class)
        .setParameter("job", job)
        .getResultList();
  }
}
