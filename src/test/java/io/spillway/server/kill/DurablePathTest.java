package io.spillway.server.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.inbox.InboxKey;
import io.spillway.server.inbox.Submissions;
import io.spillway.server.inbox.Submissions.Outcome;
import io.spillway.server.loop.Replica;
import io.spillway.server.world.DemoPolicies;
import io.spillway.server.world.Orders;
import io.spillway.server.world.Spine;
import io.spillway.server.world.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurablePathTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final int NODES = 20;
  private static final int MANY = 1_000;
  @TempDir Path folder;
  private TestStore store;

  @BeforeEach
  void start() {
    store = new TestStore();
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private Spine spine() {
    return new Spine(store.open(), LEASE, Replica.Settings.DEFAULT, List.of());
  }

  private AgentThread agent(Spine spine, Duration longestRun) {
    return new AgentThread(
        new SimAgent(
            spine.database(),
            spine.inbox(),
            new SimAgent.Settings(folder.resolve("ledger"), NODES, longestRun, true),
            new Random(1)));
  }

  private static void prepare(Spine spine) {
    append(spine, new CommandInput.PolicyOffered(DemoPolicies.of(NODES)));
    append(spine, new CommandInput.ClusterRegistered(DemoPolicies.CLUSTER));
  }

  private static InboxKey append(Spine spine, CommandInput input) {
    return spine.inbox().append(Lane.COMMANDS, "admin", List.of(input)).await().atMost(PATIENCE);
  }

  private static List<InboxKey> submit(Spine spine, int jobs) {
    List<Submissions.NewJob> items = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      items.add(Orders.job(DemoPolicies.QUEUE.value()));
    }
    return spine.inbox().submit(items).await().atMost(PATIENCE).stream()
        .map(outcome -> ((Outcome.Accepted) outcome).key())
        .distinct()
        .toList();
  }

  private void awaitAllSucceeded(int jobs) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(store.count("select count(*) from job where state = 'SUCCEEDED'"))
                    .isEqualTo(jobs));
  }

  @Test
  void jobs_are_placed_run_and_succeed_with_at_most_ten_row_operations_each() throws Exception {
    try (Spine spine = spine().stand()) {
      prepare(spine);
      try (AgentThread _ = agent(spine, Duration.ofMillis(200))) {
        submit(spine, 1);
        awaitAllSucceeded(1);
        long before = rowOperations();
        submit(spine, MANY);
        awaitAllSucceeded(MANY + 1);
        long each = rowOperations() - before;
        assertThat(each / (double) MANY).as("row operations per job").isLessThanOrEqualTo(10.0);
      }
    }
  }

  private long untaken() {
    return store.count(
        "select count(*) from job j join inbox_writer w on w.writer = j.inbox_writer"
            + " where w.seq < j.inbox_seq");
  }

  /** From the database's own statistics; a backend reports its last second when it is asked to. */
  private long rowOperations() {
    await().pollDelay(Duration.ofMillis(1_200)).atMost(PATIENCE).until(() -> true);
    return store.count(
        "select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint from pg_stat_user_tables");
  }

  @Test
  void FEN_05_a_restart_finds_the_state_that_was_committed_digest_and_all() throws Exception {
    long digest;
    try (Spine spine = spine().stand()) {
      prepare(spine);
      try (AgentThread _ = agent(spine, Duration.ofMillis(100))) {
        submit(spine, 40);
        awaitAllSucceeded(40);
      }
      try (AgentThread _ = agent(spine, Duration.ofHours(1))) {
        submit(spine, 60);
        await()
            .atMost(PATIENCE)
            .until(() -> store.count("select count(*) from job where state = 'RUNNING'") > 5);
      }
      digest = spine.digest();
      assertThat(digest)
          .isEqualTo(store.count("select digest from journal_head where cell = 'main'"));
    }
    try (Spine again = spine()) {
      assertThat(again.digest()).isEqualTo(digest);
      assertThat(again.stateStore().mismatches()).isZero();
    }
  }

  @Test
  void ARM_13_a_restart_reads_the_memo_and_the_events_since_only() throws Exception {
    Replica.Settings often =
        new Replica.Settings(Duration.ofMillis(50), Duration.ofSeconds(60), 50);
    long digest;
    try (Spine spine = new Spine(store.open(), LEASE, often, List.of()).stand()) {
      prepare(spine);
      try (AgentThread _ = agent(spine, Duration.ofMillis(50))) {
        submit(spine, 100);
        awaitAllSucceeded(100);
      }
      await().atMost(PATIENCE).until(() -> store.count("select count(*) from core_memo") == 2);
      digest = spine.digest();
    }
    // Without the journal's beginning nothing but the memo can bring the state back.
    store.query("delete from journal where seq <= (select min(seq) from core_memo)");
    try (Spine again = spine()) {
      assertThat(again.digest()).isEqualTo(digest);
      assertThat(again.stateStore().mismatches()).isZero();
    }
  }

  @Test
  void a_memo_that_gives_another_digest_is_counted_and_the_one_before_is_taken() throws Exception {
    Replica.Settings often =
        new Replica.Settings(Duration.ofMillis(50), Duration.ofSeconds(60), 50);
    long digest;
    try (Spine spine = new Spine(store.open(), LEASE, often, List.of()).stand()) {
      prepare(spine);
      try (AgentThread _ = agent(spine, Duration.ofMillis(50))) {
        submit(spine, 100);
        awaitAllSucceeded(100);
      }
      await().atMost(PATIENCE).until(() -> store.count("select count(*) from core_memo") == 2);
      digest = spine.digest();
    }
    store.query(
        "update core_memo set bytes = convert_to(replace(convert_from(bytes, 'UTF8'),"
            + " '\"paused\":false', '\"paused\":true'), 'UTF8')"
            + " where seq = (select max(seq) from core_memo)");
    try (Spine again = spine()) {
      assertThat(again.digest()).isEqualTo(digest);
      assertThat(again.stateStore().mismatches()).isEqualTo(1);
    }
  }

  @Test
  void SKY_14_a_standby_follows_and_takes_over_where_the_leader_was() throws Exception {
    Spine first = spine().stand();
    try (Spine second = spine()) {
      prepare(first);
      await().atMost(PATIENCE).until(first.replica()::leading);
      second.stand();
      try (AgentThread _ = agent(first, Duration.ofMillis(100))) {
        submit(second, 50);
        awaitAllSucceeded(50);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(second.digest()).isEqualTo(first.digest()));
      assertThat(second.replica().leading()).isFalse();

      first.close();
      await().atMost(PATIENCE).until(second.replica()::leading);
      List<InboxKey> keys = submit(second, 10);
      for (InboxKey key : keys) {
        assertThat(second.inbox().committed(key, PATIENCE).await().atMost(PATIENCE)).isTrue();
      }
      assertThat(untaken()).isZero();
      assertThat(store.count("select epoch from leader_epoch where cell = 'main'")).isEqualTo(2);
    }
  }

  @Test
  void KUE_04_a_leader_whose_epoch_is_over_commits_nothing_and_steps_down() throws Exception {
    if (Boolean.getBoolean("spillway.sabotage.fence")) {
      Sabotage.takeOutTheFence(store);
    }
    try (Spine old = spine().stand()) {
      prepare(old);
      await().atMost(PATIENCE).until(old.replica()::leading);
      await()
          .atMost(PATIENCE)
          .until(() -> store.count("select seq from journal_head where cell = 'main'") > 0);
      store.query("update leader_epoch set epoch = epoch + 1 where cell = 'main'");
      store.query(
          "update leader_lease set holder = 'other', expires_at = clock_timestamp() + interval '3 s'");
      long seq = store.count("select seq from journal_head where cell = 'main'");
      submit(old, 5);
      await().atMost(PATIENCE).until(() -> !old.replica().leading());
      assertThat(store.count("select seq from journal_head where cell = 'main'")).isEqualTo(seq);
      // When the other's lease is over it leads again, under a new epoch, and nothing was lost.
      await().atMost(PATIENCE).until(() -> untaken() == 0);
      assertThat(store.count("select count(*) from job")).isEqualTo(5);
    }
  }

  @Test
  void a_command_from_another_replica_waits_for_the_job_that_it_is_about() throws Exception {
    Submissions.NewJob job = Orders.job(DemoPolicies.QUEUE.value());
    try (Spine spine = spine()) {
      spine.inbox().submit(List.of(job)).await().atMost(PATIENCE);
      // A writer that sorts before the submit's, so that its row comes first in the take.
      store.query(
          "insert into inbox_writer (writer, cell, lane, replica) values ('0', 'main', 2, 'r2')");
      store.query(
          "insert into inbox (cell, writer, seq, lane, actor, inputs, format, payload) values"
              + " ('main', '0', 1, 2, 'alice', 1, 1, $1)",
          "[{\"@\":\"JobCommanded\",\"job\":\"" + job.id() + "\",\"verb\":\"CANCEL\"}]");
      spine.stand();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          store
                              .query("select state from job where id = $1", job.id().value())
                              .getFirst()
                              .getString(0))
                      .isEqualTo("CANCELLED"));
    }
  }
}
