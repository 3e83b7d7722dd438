package io.spillway.server.progress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.progress.ProgressBook.Report;
import io.spillway.server.progress.ProgressBook.Source;
import io.spillway.server.store.Blocking;
import io.spillway.server.world.TestStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProgressBookTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private TestStore store;
  private int jobs;

  @BeforeAll
  void open() {
    store = new TestStore();
    store.query("create table progress_write (job_id text)");
    store.query(
        """
        create function note_write() returns trigger language plpgsql as $$
        begin
          insert into progress_write values (new.job_id);
          return null;
        end $$
        """);
    store.query(
        "create trigger noted after insert or update on job_progress"
            + " for each row execute function note_write()");
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void ten_thousand_reports_of_one_job_are_a_few_writes_and_the_newest_is_kept() {
    ProgressBook book = book(Duration.ofMillis(200));
    AttemptId attempt = attempt(1);
    List<Future<Void>> all = new ArrayList<>();
    for (int step = 1; step <= 10_000; step++) {
      all.add(book.put(new Report(attempt, at(step), Source.AGENT)));
    }
    all.forEach(one -> Blocking.await(one, PATIENCE));
    assertThat(stored(attempt)).isEqualTo("1 10000 AGENT");
    // The first at once, what came meanwhile with the next ones.
    assertThat(writes(attempt)).isBetween(1L, 20L);
  }

  @Test
  void reports_of_many_jobs_are_written_together() {
    ProgressBook book = book(Duration.ofMillis(100));
    List<AttemptId> attempts = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      attempts.add(attempt(1));
    }
    List<Future<Void>> all =
        attempts.stream().map(id -> book.put(new Report(id, at(7), Source.AGENT))).toList();
    all.forEach(one -> Blocking.await(one, PATIENCE));
    assertThat(attempts).allMatch(id -> stored(id).equals("1 7 AGENT"));
  }

  @Test
  void an_older_attempts_late_word_changes_nothing() {
    ProgressBook book = book(Duration.ZERO);
    AttemptId first = attempt(2);
    AttemptId second = new AttemptId(first.job(), 2);
    Blocking.await(book.put(new Report(second, at(5), Source.CALL)), PATIENCE);
    Blocking.await(book.put(new Report(first, at(900), Source.AGENT)), PATIENCE);
    assertThat(stored(second)).isEqualTo("2 5 CALL");
  }

  @Test
  void of_an_attempt_that_the_store_does_not_know_nothing_is_kept() {
    AttemptId unknown = new AttemptId(new JobId("01PR0GRESS0000000000N0B0DY"), 1);
    Blocking.await(book(Duration.ZERO).put(new Report(unknown, at(1), Source.AGENT)), PATIENCE);
    assertThat(
            store.count(
                "select count(*) from job_progress where job_id = $1", unknown.job().value()))
        .isZero();
  }

  private ProgressBook book(Duration pace) {
    return new ProgressBook(store.database().vertx(), store.database().pool(), pace);
  }

  /** Attempts of a new job, the first of which is answered. */
  private AttemptId attempt(int count) {
    JobId job = new JobId(String.format("01PR0GRESS%016d", ++jobs));
    for (int number = 1; number <= count; number++) {
      store.query(
          "insert into attempt (job_id, number, cluster, offering, state, epoch, created_at, core,"
              + " updated_seq) values ($1, $2, 'c', 'o', 'RUNNING', 1, now(), '{}', 1)",
          job.value(),
          number);
    }
    return new AttemptId(job, 1);
  }

  private static Progress at(int step) {
    return Progress.lenient(JsonNodeFactory.instance.objectNode().put("step", step));
  }

  private String stored(AttemptId attempt) {
    return store
        .query(
            "select attempt || ' ' || (body ->> 'step') || ' ' || source from job_progress where"
                + " job_id = $1",
            attempt.job().value())
        .getFirst()
        .getString(0);
  }

  private long writes(AttemptId attempt) {
    return store.count(
        "select count(*) from progress_write where job_id = $1", attempt.job().value());
  }
}
