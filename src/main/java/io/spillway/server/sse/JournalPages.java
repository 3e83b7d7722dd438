package io.spillway.server.sse;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * Reads the journal forwards in windows of rows, so that no call scans without bound. Relies on the
 * journal's primary key (cell, seq, …); a job's rows within a window are found by its id in the
 * text of the events.
 */
@ApplicationScoped
public class JournalPages {
  private static final int WINDOW = 5_000;

  /** Where no text picks rows: a row under load holds thousands of events. */
  private static final int WINDOW_OF_ALL = 200;

  private static final int WINDOWS_PER_CALL = 40;

  private final Mutiny.SessionFactory sessions;

  JournalPages(Mutiny.SessionFactory sessions) {
    this.sessions = sessions;
  }

  /**
   * What is asked for.
   *
   * @param contains a text that a row's events must hold; empty = any row
   * @param wanted among the items of those rows
   * @param limit of items; the last row's items are kept together, so there may be more
   */
  public record Query(
      FeedPosition after, Optional<String> contains, Predicate<FeedItem> wanted, int limit) {}

  /**
   * A page.
   *
   * @param reached everything up to here was looked at: where the next page begins
   * @param atHead whether nothing lies beyond
   */
  public record Page(List<FeedItem> items, FeedPosition reached, boolean atHead) {}

  /** The newest row's number, 0 for an empty journal. */
  public Uni<Long> head() {
    return sessions.withSession(JournalPages::head);
  }

  /**
   * After the last row before that time, in which nothing of a job submitted then can stand. Walks
   * back from the head by the primary key, so it costs as much as has happened since.
   */
  public Uni<FeedPosition> before(Instant time) {
    return sessions.withSession(
        session ->
            session
                .createSelectionQuery(
                    "select j.seq from JournalRow j where j.cell = 'main' and j.at < :time"
                        + " order by j.seq desc",
                    Long.class)
                .setParameter("time", time)
                .setMaxResults(1)
                .getSingleResultOrNull()
                .map(seq -> seq == null ? FeedPosition.START : FeedPosition.afterRow(seq)));
  }

  public Uni<Page> read(Query query) {
    return sessions.withSession(
        session ->
            head(session)
                .chain(head -> windows(session, query, head, new ArrayList<>(), query.after(), 0)));
  }

  private static Uni<Long> head(Mutiny.Session session) {
    return session
        .createSelectionQuery(
            "select j.seq from JournalRow j where j.cell = 'main' order by j.seq desc", Long.class)
        .setMaxResults(1)
        .getSingleResultOrNull()
        .map(seq -> seq == null ? 0L : seq);
  }

  private static Uni<Page> windows(
      Mutiny.Session session,
      Query query,
      long head,
      List<FeedItem> found,
      FeedPosition from,
      int count) {
    boolean atHead = from.seq() > head || (from.seq() == head && from.index() == Integer.MAX_VALUE);
    if (atHead || found.size() >= query.limit() || count == WINDOWS_PER_CALL) {
      return Uni.createFrom().item(page(query, found, from, atHead));
    }
    int window = query.contains().isPresent() ? WINDOW : WINDOW_OF_ALL;
    long last = Math.min(head, from.seq() + window);
    return rows(session, query, from.seq(), last)
        .chain(
            rows -> {
              rows.forEach(row -> collect(row, from, query, found));
              session.clear();
              FeedPosition next = FeedPosition.afterRow(last);
              return windows(session, query, head, found, next, count + 1);
            });
  }

  /** The row that a window begins with was looked at before, as far as {@code from}. */
  private static void collect(
      JournalRow row, FeedPosition from, Query query, List<FeedItem> found) {
    for (FeedItem item : FeedItem.ofRow(row.seq, row.at, row.events)) {
      if (item.position().compareTo(from) > 0 && query.wanted().test(item)) {
        found.add(item);
      }
    }
  }

  private static Page page(
      Query query, List<FeedItem> found, FeedPosition reached, boolean atHead) {
    if (found.size() <= query.limit()) {
      return new Page(List.copyOf(found), reached, atHead);
    }
    List<FeedItem> items = List.copyOf(found.subList(0, query.limit()));
    return new Page(items, items.get(items.size() - 1).position(), false);
  }

  private static Uni<List<JournalRow>> rows(
      Mutiny.Session session, Query query, long from, long last) {
    String text = query.contains().isPresent() ? " and locate(:text, j.events) > 0" : "";
    Mutiny.SelectionQuery<JournalRow> rows =
        session
            .createSelectionQuery(
                "from JournalRow j where j.cell = 'main' and j.seq >= :from and j.seq <= :last"
                    + text
                    + " order by j.seq",
                JournalRow.class)
            .setParameter("from", from)
            .setParameter("last", last);
    query.contains().ifPresent(needle -> rows.setParameter("text", needle));
    return rows.getResultList();
  }
}
