package io.spillway.server.kill;

import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.inbox.Submissions.NewJob;
import io.spillway.server.inbox.Submissions.Outcome;
import io.spillway.server.loop.Replica;
import io.spillway.server.store.Database;
import io.spillway.server.world.DemoPolicies;
import io.spillway.server.world.Orders;
import io.spillway.server.world.Spine;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that is killed: loop, store, agent and load in one. Arguments: database URI, folder,
 * {@code load}, {@code once} or {@code drain}, {@code dedupe} or {@code forgetful}. With {@code
 * load} it submits until it is killed, with {@code once} one batch; with that and with {@code
 * drain} it ends once every job has ended.
 */
public final class KillChild {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int NODES = 4;
  private static final int BATCH = 5;

  private KillChild() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    String mode = arguments[2];
    Vertx vertx = Vertx.vertx();
    Database database = new Database(vertx, arguments[0], "postgres", "postgres");
    Replica.Settings settings =
        new Replica.Settings(Duration.ofMillis(50), Duration.ofSeconds(60), 200);
    Spine spine = new Spine(database, Duration.ofMillis(500), settings, List.of()).stand();
    // The state that was loaded is what the journal says, or the audit is told.
    long digest = spine.digest();
    if (spine.stateStore().mismatches() > 0) {
      append(folder.resolve("mismatches"), "digest " + digest + "\n");
    }
    spine
        .inbox()
        .append(
            Lane.COMMANDS,
            "admin",
            List.of(
                new CommandInput.PolicyOffered(DemoPolicies.of(NODES)),
                new CommandInput.ClusterRegistered(DemoPolicies.CLUSTER)))
        .await()
        .atMost(PATIENCE);
    SimAgent.Settings agent =
        new SimAgent.Settings(
            folder.resolve("ledger"), NODES, Duration.ofMillis(60), arguments[3].equals("dedupe"));
    try (AgentThread _ =
        new AgentThread(new SimAgent(database, spine.inbox(), agent, new Random()))) {
      if (!mode.equals("drain")) {
        submit(spine, folder);
      }
      while (mode.equals("load")) {
        LockSupport.parkNanos(20_000_000L); // the pace of the load
        submit(spine, folder);
      }
      drain(spine);
    }
    spine.close();
    System.exit(0);
  }

  private static void submit(Spine spine, Path folder) throws IOException {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      jobs.add(Orders.job(DemoPolicies.QUEUE.value()));
    }
    StringBuilder accepted = new StringBuilder();
    for (Outcome outcome : spine.inbox().submit(jobs).await().atMost(PATIENCE)) {
      accepted.append(((Outcome.Accepted) outcome).job()).append('\n');
    }
    append(folder.resolve("accepted"), accepted.toString());
  }

  private static void drain(Spine spine) throws Exception {
    String open = "select count(*) from job where finished_at is null";
    while (true) {
      long left =
          io.spillway.server.store.Blocking.await(
                  spine.database().pool().query(open).execute(), PATIENCE)
              .iterator()
              .next()
              .getLong(0);
      if (left == 0) {
        return;
      }
      LockSupport.parkNanos(100_000_000L);
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.write(
        file,
        text.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
