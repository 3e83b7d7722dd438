package io.spillway.server.kill;

import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.loop.CrashPoints;
import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.spillway.server.world.DemoPolicies;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An agent with its cluster. The workloads live in the ledger, so they outlast the process: a new
 * one finds those that run, ends them in their time and tells again what it could not tell before.
 */
final class SimAgent implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String COMMANDS =
      """
      select job_id, number, command, command_seq, command_epoch from attempt
      where cluster = $1 and command is not null and command_seq > $2 order by command_seq
      """;

  private final Database database;
  private final Inbox inbox;
  private final Settings settings;
  private final Ledger ledger;
  private final RandomGenerator random;
  private final long agentEpoch = System.currentTimeMillis();
  private final Map<AttemptId, Run> running = new LinkedHashMap<>();
  private final Map<AttemptId, Boolean> started = new HashMap<>();
  private final List<AttemptId> untold = new ArrayList<>();
  private final List<Input> frame = new ArrayList<>();
  private long reports;
  private long lastSeq;

  /**
   * @param nodes of its pool
   * @param longestRun a job runs up to this long
   * @param deduplicates whether a start that came before is only answered; an agent that does not
   *     is the sabotage that the audit must find
   */
  record Settings(Path ledger, int nodes, Duration longestRun, boolean deduplicates) {}

  private record Run(long epoch, long endAt, String instance) {}

  SimAgent(Database database, Inbox inbox, Settings settings, RandomGenerator random) {
    this.database = database;
    this.inbox = inbox;
    this.settings = settings;
    this.random = random;
    for (Ledger.Line line : Ledger.read(settings.ledger())) {
      remember(line);
    }
    this.ledger = new Ledger(settings.ledger());
  }

  private void remember(Ledger.Line line) {
    AttemptId attempt = line.attempt();
    switch (line.act()) {
      case START -> {
        started.put(attempt, true);
        running.put(attempt, new Run(line.epoch(), line.at() + 50, instanceOf(attempt)));
      }
      case STOP -> {}
      case END -> {
        running.remove(attempt);
        untold.add(attempt);
      }
      case TOLD -> untold.remove(attempt);
    }
  }

  /** Opens a session, tells what could not be told, and what is there. */
  void connect() {
    tell(
        List.of(
            new AgentInput.SessionOpened(DemoPolicies.CLUSTER, agentEpoch, agentEpoch),
            new AgentInput.NodesReported(
                DemoPolicies.CLUSTER, true, DemoPolicies.nodes(settings.nodes()), List.of())));
    untold.forEach(attempt -> tell(List.of(ended(attempt, false))));
    List<AgentInput.Present> present = new ArrayList<>();
    running.forEach(
        (attempt, run) ->
            present.add(
                new AgentInput.Present(
                    attempt, run.epoch(), Phase.RUNNING, List.of(run.instance()))));
    tell(List.of(new AgentInput.Swept(DemoPolicies.CLUSTER, agentEpoch, ++reports, present)));
    send();
  }

  /** Obeys new commands and ends what has run long enough. */
  void step() {
    for (Row row :
        Blocking.await(
            database
                .pool()
                .preparedQuery(COMMANDS)
                .execute(Tuple.of(DemoPolicies.CLUSTER.value(), lastSeq)),
            PATIENCE)) {
      AttemptId attempt = new AttemptId(new JobId(row.getString(0)), row.getInteger(1));
      obey(attempt, row.getString(2), row.getLong(4));
      lastSeq = row.getLong(3);
    }
    long now = System.currentTimeMillis();
    List<AttemptId> over = new ArrayList<>();
    running.forEach(
        (attempt, run) -> {
          if (run.endAt() <= now) {
            over.add(attempt);
          }
        });
    over.forEach(attempt -> end(attempt, false));
    send();
  }

  private void obey(AttemptId attempt, String command, long epoch) {
    switch (command) {
      case "HOLD" -> tell(List.of(report(attempt, epoch, Phase.HELD, Optional.empty())));
      case "START" -> start(attempt, epoch);
      case "STOP" -> stop(attempt, epoch);
      default -> {}
    }
  }

  private void start(AttemptId attempt, long epoch) {
    CrashPoints.reached(CrashPoint.LAUNCH_SENT);
    if (settings.deduplicates() && started.containsKey(attempt)) {
      tell(
          List.of(
              running.containsKey(attempt)
                  ? report(attempt, epoch, Phase.RUNNING, Optional.empty())
                  : ended(attempt, false)));
      return;
    }
    ledger.write(Ledger.Act.START, attempt, epoch);
    started.put(attempt, true);
    long time = random.nextLong(settings.longestRun().toMillis());
    running.put(attempt, new Run(epoch, System.currentTimeMillis() + time, instanceOf(attempt)));
    tell(
        List.of(
            report(attempt, epoch, Phase.STARTING, Optional.empty()),
            report(attempt, epoch, Phase.RUNNING, Optional.empty())));
  }

  private void stop(AttemptId attempt, long epoch) {
    ledger.write(Ledger.Act.STOP, attempt, epoch);
    started.put(attempt, true); // a start that comes after its stop is too late
    if (running.containsKey(attempt)) {
      end(attempt, true);
    } else {
      tell(List.of(ended(attempt, true)));
    }
  }

  private void end(AttemptId attempt, boolean stopped) {
    ledger.write(Ledger.Act.END, attempt, running.get(attempt).epoch());
    running.remove(attempt);
    untold.add(attempt);
    tell(List.of(ended(attempt, stopped)));
  }

  private AttemptReported ended(AttemptId attempt, boolean stopped) {
    End end =
        stopped ? new End(List.of(143), Cause.STOPPED, "") : new End(List.of(0), Cause.EXITED, "");
    return report(attempt, 0, Phase.ENDED, Optional.of(end));
  }

  private AttemptReported report(AttemptId attempt, long epoch, Phase phase, Optional<End> end) {
    return new AttemptReported(
        DemoPolicies.CLUSTER,
        agentEpoch,
        ++reports,
        attempt,
        epoch,
        phase,
        List.of(instanceOf(attempt)),
        Optional.empty(),
        end);
  }

  private void tell(List<Input> inputs) {
    frame.addAll(inputs);
  }

  /** Durable before the next step: an agent repeats what nobody confirmed. */
  private void send() {
    if (frame.isEmpty()) {
      return;
    }
    CrashPoints.reached(CrashPoint.ACK_RECEIVED);
    inbox.append(Lane.REPORTS, DemoPolicies.CLUSTER.value(), frame).await().atMost(PATIENCE);
    frame.clear();
    for (AttemptId attempt : List.copyOf(untold)) {
      ledger.write(Ledger.Act.TOLD, attempt, 0);
    }
    untold.clear();
  }

  private String instanceOf(AttemptId attempt) {
    return "i-" + Math.floorMod(attempt.hashCode(), settings.nodes());
  }

  @Override
  public void close() throws java.io.IOException {
    ledger.close();
  }
}
