package io.spillway.server.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.inbox.Submissions.Outcome;
import io.spillway.server.store.Database;
import io.spillway.server.world.Orders;
import io.spillway.server.world.TestStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgInboxTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final List<Input> PAUSE = List.of(new CommandInput.SystemPauseSet(true));
  private static TestStore store;
  private final CursorWatch watch = new CursorWatch();

  @BeforeAll
  static void start() {
    store = new TestStore();
  }

  @AfterAll
  static void stop() {
    store.close();
  }

  private PgInbox inbox(Database database) {
    return new PgInbox(
        database,
        new StoreCodec(),
        new PgInbox.Place("main", "r1"),
        new InboxBell(),
        watch,
        new InboxGauge(database, "main"),
        Clock.systemUTC());
  }

  @Test
  void concurrent_appends_become_few_batches_of_one_writer_in_their_order() {
    PgInbox inbox = inbox(store.database());
    List<Uni<InboxKey>> appends =
        IntStream.range(0, 500)
            .mapToObj(i -> inbox.append(Lane.REPORTS, "cluster-a", PAUSE))
            .toList();
    List<InboxKey> keys = Uni.join().all(appends).andFailFast().await().atMost(PATIENCE);

    assertThat(keys).extracting(InboxKey::writer).containsOnly(keys.getFirst().writer());
    assertThat(keys).extracting(InboxKey::seq).isSorted();
    String writer = keys.getFirst().writer();
    assertThat(store.count("select sum(inputs) from inbox where writer = $1", writer))
        .isEqualTo(500);
    assertThat(store.count("select count(*) from inbox where writer = $1", writer))
        .as("rows: neighbours of one actor are joined")
        .isLessThan(60);
    assertThat(store.count("select count(*) from inbox_writer where writer = $1", writer))
        .isEqualTo(1);
    assertThat(
            store.count("select count(distinct xmin::text) from inbox where writer = $1", writer))
        .as("transactions")
        .isLessThan(60);
  }

  @Test
  void SKY_15_the_same_key_from_many_threads_and_replicas_is_one_job() {
    try (Database second = store.open()) {
      List<PgInbox> replicas = List.of(inbox(store.database()), inbox(second));
      String key = "key-" + Orders.freshId();
      List<Uni<List<Outcome>>> submits =
          IntStream.range(0, 40)
              .mapToObj(
                  i ->
                      replicas
                          .get(i % 2)
                          .submit(
                              List.of(
                                  Orders.job(
                                      Orders.freshId(), "research", Optional.of(key), "same"))))
              .toList();
      List<Outcome> outcomes =
          Uni.join().all(submits).andFailFast().await().atMost(PATIENCE).stream()
              .map(List::getFirst)
              .toList();

      assertThat(outcomes).filteredOn(Outcome.Accepted.class::isInstance).hasSize(1);
      Outcome.Accepted accepted =
          (Outcome.Accepted)
              outcomes.stream()
                  .filter(Outcome.Accepted.class::isInstance)
                  .findFirst()
                  .orElseThrow();
      assertThat(outcomes)
          .filteredOn(Outcome.Repeated.class::isInstance)
          .hasSize(39)
          .allSatisfy(o -> assertThat(((Outcome.Repeated) o).job()).isEqualTo(accepted.job()));
      assertThat(store.count("select count(*) from job where idempotency_key = $1", key))
          .isEqualTo(1);
    }
  }

  @Test
  void one_items_conflict_touches_no_other_item_and_leaves_no_trace_in_the_inbox() {
    PgInbox inbox = inbox(store.database());
    String key = "key-" + Orders.freshId();
    Submissions.NewJob first = Orders.job(Orders.freshId(), "research", Optional.of(key), "one");
    Submissions.NewJob other = Orders.job("research");
    Submissions.NewJob clash = Orders.job(Orders.freshId(), "research", Optional.of(key), "two");
    List<Outcome> outcomes = inbox.submit(List.of(first, clash, other)).await().atMost(PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Accepted.class);
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.KeyConflict(first.id()));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Accepted.class);
    InboxKey row = ((Outcome.Accepted) outcomes.get(0)).key();
    var inboxRow =
        store
            .query(
                "select inputs, payload from inbox where writer = $1 and seq = $2",
                row.writer(),
                row.seq())
            .getFirst();
    assertThat(inboxRow.getInteger(0)).isEqualTo(2);
    assertThat(new StoreCodec().inputs(StoreCodec.FORMAT, inboxRow.getString(1)))
        .containsExactly(
            new CommandInput.JobSubmitted(first.id(), first.order()),
            new CommandInput.JobSubmitted(other.id(), other.order()));
    assertThat(store.count("select count(*) from job_spec where job_id = $1", clash.id().value()))
        .isZero();
  }

  @Test
  void a_submitted_job_is_readable_at_once_and_not_yet_taken() {
    PgInbox inbox = inbox(store.database());
    Submissions.NewJob job = Orders.job("research");
    inbox.submit(List.of(job)).await().atMost(PATIENCE);

    var row =
        store
            .query(
                "select state, taken, core, labels::text, submitted_at from job where id = $1",
                job.id().value())
            .getFirst();
    assertThat(row.getString(0)).isEqualTo("QUEUED");
    assertThat(row.getLong(1)).isNull();
    assertThat(new StoreCodec().read(StoreCodec.FORMAT, row.getString(2), Job.class).order())
        .isEqualTo(job.order());
    assertThat(row.getString(3)).contains("nlp");
  }

  @Test
  void a_consumer_that_lost_its_partition_writes_nothing() {
    PgInbox inbox = inbox(store.database());
    String topic = "topic-" + Orders.freshId();
    var mine = new Inbox.OffsetMove(topic, 0, 0, 10);
    inbox.appendFrom(Lane.NOTICES, "kafka", PAUSE, mine).await().atMost(PATIENCE);
    long rows = store.count("select count(*) from inbox where actor = 'kafka'");

    var late = new Inbox.OffsetMove(topic, 0, 5, 12);
    assertThatThrownBy(
            () -> inbox.appendFrom(Lane.NOTICES, "kafka", PAUSE, late).await().atMost(PATIENCE))
        .isInstanceOf(Inbox.OffsetMoved.class);
    assertThat(store.count("select count(*) from inbox where actor = 'kafka'")).isEqualTo(rows);

    var next = new Inbox.OffsetMove(topic, 0, 10, 15);
    InboxKey none =
        inbox.appendFrom(Lane.NOTICES, "kafka", List.of(), next).await().atMost(PATIENCE);
    assertThat(inbox.committed(none, PATIENCE).await().atMost(PATIENCE)).isTrue();
    assertThat(store.count("select next_offset from consumer_offset where topic = $1", topic))
        .isEqualTo(15);
    assertThat(store.count("select count(*) from inbox where actor = 'kafka'")).isEqualTo(rows);
  }

  @Test
  void what_the_store_cannot_hold_is_refused_alone() {
    PgInbox inbox = inbox(store.database());
    Submissions.NewJob good = Orders.job("research");
    Submissions.NewJob bad =
        new Submissions.NewJob(
            Orders.freshId(),
            Orders.single("research"),
            "{\"name\":\"a\\u0000b\"}",
            "h",
            Map.of(),
            Optional.empty(),
            "none",
            "mallory");
    Uni<List<Outcome>> refused = inbox.submit(List.of(bad));
    Uni<List<Outcome>> kept = inbox.submit(List.of(good));
    var both =
        Uni.join()
            .all(refused.onFailure().recoverWithItem(List.of()), kept)
            .andCollectFailures()
            .await()
            .atMost(PATIENCE);
    assertThat(both.get(0)).isEmpty();
    assertThat(both.get(1).getFirst()).isInstanceOf(Outcome.Accepted.class);
    assertThatThrownBy(() -> inbox.submit(List.of(bad)).await().atMost(PATIENCE))
        .isInstanceOf(Inbox.Unstorable.class);
  }

  @Test
  void one_who_waits_for_a_row_is_told_when_the_cursor_has_passed_it_or_time_is_over() {
    PgInbox inbox = inbox(store.database());
    InboxKey key = inbox.append(Lane.COMMANDS, "alice", PAUSE).await().atMost(PATIENCE);
    assertThat(inbox.committed(key, Duration.ofMillis(30)).await().atMost(PATIENCE)).isFalse();
    assertThat(watch.awaited()).isEmpty();

    var waiting = inbox.committed(key, PATIENCE).subscribeAsCompletionStage();
    assertThat(watch.awaited()).containsExactly(key.writer());
    watch.passed(Map.of(key.writer(), key.seq()));
    assertThat(waiting).isCompletedWithValue(true);
    assertThat(inbox.committed(key, PATIENCE).await().atMost(PATIENCE)).isTrue();
  }

  @Test
  void a_writer_that_was_retired_while_idle_comes_back_with_its_next_row() {
    PgInbox inbox = inbox(store.database());
    InboxKey key = inbox.append(Lane.OBSERVATIONS, "probe", PAUSE).await().atMost(PATIENCE);
    store.query("update inbox_writer set retired = true where writer = $1", key.writer());
    inbox.append(Lane.OBSERVATIONS, "probe", PAUSE).await().atMost(PATIENCE);
    assertThat(
            store.count(
                "select count(*) from inbox_writer where writer = $1 and not retired",
                key.writer()))
        .isEqualTo(1);
  }
}
