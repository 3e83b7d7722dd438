package io.spillway.server.sse;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads rows of its own, far behind those that the server writes. */
@QuarkusTest
class JournalPagesTest {
  private static final long FAR = 50_000_000;
  private static final String JOB = "01KB3Z6Q8V4T2N7M5XW9R1C0DE";

  @Inject JournalPages pages;
  @Inject Pool pool;

  @AfterEach
  void remove() {
    run("delete from journal where seq > $1", Tuple.of(FAR));
  }

  @Test
  void an_event_between_two_windows_is_told_once() throws Throwable {
    row(FAR + 5_000);
    row(FAR + 6_000);
    row(FAR + 10_000);
    row(FAR + 12_000);
    JournalPages.Page page = read(Optional.of(JOB), item -> true, 100);
    assertThat(page.items())
        .extracting(item -> item.position().seq() - FAR)
        .containsExactly(5_000L, 6_000L, 10_000L, 12_000L);
    assertThat(page.atHead()).isTrue();
  }

  @Test
  void a_page_of_all_that_was_decided_brings_few_rows_to_memory() throws Throwable {
    for (int i = 1; i <= 1_000; i++) {
      row(FAR + i);
    }
    AtomicInteger looked = new AtomicInteger();
    JournalPages.Page page = read(Optional.empty(), item -> looked.incrementAndGet() > 0, 10);
    assertThat(page.items()).hasSize(10);
    assertThat(page.reached()).isEqualTo(new FeedPosition(FAR + 10, 0));
    assertThat(looked).hasValueLessThan(300);
  }

  private JournalPages.Page read(Optional<String> contains, Predicate<FeedItem> wanted, int limit)
      throws Throwable {
    return VertxContextSupport.subscribeAndAwait(
        () ->
            pages.read(
                new JournalPages.Query(FeedPosition.afterRow(FAR), contains, wanted, limit)));
  }

  private void row(long seq) {
    run(
        """
        insert into journal (cell, seq, epoch, cycle, now, seed, core_version, policy, plan_hash,
          digest, format, inputs, events)
        values ('main', $1, 0, 0, clock_timestamp(), 0, '', '', '', 0, 1, '[]', $2)
        """,
        Tuple.of(seq, "[{\"@\":\"JobHeld\",\"job\":\"" + JOB + "\"}]"));
  }

  private void run(String sql, Tuple values) {
    pool.preparedQuery(sql).execute(values).await().atMost(Duration.ofSeconds(10));
  }
}
