package io.spillway.server.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.inbox.Submissions.NewJob;
import io.spillway.server.loop.Replica;
import io.spillway.server.replay.JournalReader;
import io.spillway.server.replay.Replay;
import io.spillway.server.replay.ReplayMain;
import io.spillway.server.replay.Verdict;
import io.spillway.server.world.DemoPolicies;
import io.spillway.server.world.Orders;
import io.spillway.server.world.Spine;
import io.spillway.server.world.TestPostgres;
import io.spillway.server.world.TestStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int NODES = 4;
  private static final int JOBS = 120;
  @TempDir Path folder;

  @Test
  void a_journal_decided_again_is_the_same_and_a_changed_constant_shows_in_its_first_cycle() {
    try (TestStore store = new TestStore()) {
      record(store);

      assertThat(replay(store, CoreSettings.DEFAULT).fromTheBeginning())
          .isInstanceOfSatisfying(
              Verdict.Same.class,
              same ->
                  assertThat(same.decisions())
                      .isEqualTo(store.count("select count(*) from journal")));
      assertThat(replay(store, CoreSettings.DEFAULT).fromTheMemo())
          .isInstanceOf(Verdict.Same.class);

      assertThat(replay(store, longerGrace()).fromTheBeginning())
          .isInstanceOfSatisfying(
              Verdict.Differs.class,
              differs -> {
                assertThat(differs.recorded())
                    .hasAtLeastOneElementOfType(AttemptEvent.AttemptEnding.class);
                assertThat(differs.decided())
                    .hasAtLeastOneElementOfType(AttemptEvent.AttemptEnding.class)
                    .isNotEqualTo(differs.recorded());
              });

      ByteArrayOutputStream told = new ByteArrayOutputStream();
      int status =
          ReplayMain.run(
              List.of(TestPostgres.uri(store.name())),
              new PrintStream(told, true, StandardCharsets.UTF_8));
      assertThat(told.toString(StandardCharsets.UTF_8)).contains("all the same");
      assertThat(status).isZero();
    }
  }

  /** Jobs that run and end, one that is cancelled while it runs. */
  private void record(TestStore store) {
    Replica.Settings often =
        new Replica.Settings(Duration.ofMillis(50), Duration.ofSeconds(60), 100);
    try (Spine spine = new Spine(store.open(), Duration.ofSeconds(1), often, List.of()).stand()) {
      append(spine, new CommandInput.PolicyOffered(DemoPolicies.of(NODES)));
      append(spine, new CommandInput.ClusterRegistered(DemoPolicies.CLUSTER));
      SimAgent.Settings agent =
          new SimAgent.Settings(folder.resolve("ledger"), NODES, Duration.ofMillis(400), true);
      try (AgentThread _ =
          new AgentThread(new SimAgent(spine.database(), spine.inbox(), agent, new Random(7)))) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
          jobs.add(Orders.job(DemoPolicies.QUEUE.value()));
        }
        spine.inbox().submit(jobs).await().atMost(PATIENCE);
        await().atMost(PATIENCE).until(() -> cancelOne(store, spine));
        await()
            .atMost(PATIENCE)
            .until(() -> store.count("select count(*) from job where finished_at is null") == 0);
      }
    }
  }

  /** False until one was caught running and its attempt was told to stop. */
  private static boolean cancelOne(TestStore store, Spine spine) {
    store.query("select id from job where state = 'RUNNING' limit 1").stream()
        .map(row -> new JobId(row.getString(0)))
        .forEach(
            job -> append(spine, new CommandInput.JobCommanded(job, CommandInput.JobVerb.CANCEL)));
    return store.count("select count(*) from journal where events like '%AttemptEnding%'") > 0;
  }

  private static void append(Spine spine, Input input) {
    spine.inbox().append(Lane.COMMANDS, "admin", List.of(input)).await().atMost(PATIENCE);
  }

  private static Replay replay(TestStore store, CoreSettings settings) {
    StoreCodec codec = new StoreCodec();
    return new Replay(
        new JournalReader(store.database(), codec, Spine.CELL), codec, new SchedulerCore(settings));
  }

  private static CoreSettings longerGrace() {
    CoreSettings now = CoreSettings.DEFAULT;
    CoreSettings.Drain drain = now.drain();
    return new CoreSettings(
        "-longer-grace",
        new CoreSettings.Drain(
            drain.grace(),
            drain.margin(),
            drain.lossGrace(),
            drain.stopGrace().plusSeconds(1),
            drain.noticeWait(),
            drain.noticeMemory()),
        now.silence(),
        now.blocks(),
        now.maxTimers(),
        now.maxBackoff(),
        now.audit());
  }
}
