package io.spillway.server.jobs;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.gateway.AgentLogs;
import io.spillway.server.gateway.AgentLogs.Piece;
import io.spillway.server.gateway.OpenLog;
import io.spillway.server.leader.ReplicaStream;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.problem.RetryLater;
import io.spillway.server.security.Caller;
import io.vertx.core.buffer.Buffer;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Logs of jobs, read in the cluster when they are asked for and kept nowhere. The agent's stream is
 * at one replica; any other passes that one's answer on.
 */
@ApplicationScoped
public class JobLogs {
  /** A container that says nothing for so long has an empty log so far. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Piece NOTHING_YET = new Piece(Buffer.buffer(), false, Optional.empty());

  private final JobReading reading;
  private final AgentLogs agents;
  private final ReplicaStream replicas;

  JobLogs(JobReading reading, AgentLogs agents, ReplicaStream replicas) {
    this.reading = reading;
    this.agents = agents;
    this.replicas = replicas;
  }

  /**
   * What is asked for.
   *
   * @param attempt its number; empty = the newest that was started
   */
  public record Asked(
      JobId job, Optional<Integer> attempt, int node, boolean follow, Duration since) {}

  /**
   * How another replica is asked.
   *
   * @param path of this call, with its query
   * @param authorization empty when another replica asks: no further hop
   */
  public record Onward(String path, Optional<String> authorization) {}

  /** The log in pieces. Fails with {@link Refused} or {@link RetryLater} before the first. */
  public Uni<Multi<byte[]>> read(Caller caller, Asked asked, Onward onward) {
    return reading
        .specified(caller, asked.job())
        .map(specified -> chosen(asked, specified.attempts()))
        .chain(attempt -> read(attempt, asked, onward));
  }

  private static Attempt chosen(Asked asked, List<Attempt> attempts) {
    Attempt attempt =
        attempts.stream()
            .filter(
                a ->
                    asked
                        .attempt()
                        .map(number -> a.id().number() == number)
                        .orElseGet(() -> !(a.state() instanceof AttemptState.Intended)))
            .reduce((earlier, later) -> later)
            .orElseThrow(
                () ->
                    new Refused(
                        ProblemType.NOT_FOUND,
                        asked
                            .attempt()
                            .map(number -> "job " + asked.job() + " has no attempt " + number)
                            .orElse("no attempt of job " + asked.job() + " was started yet")));
    if (asked.node() >= attempt.placement().nodes()) {
      throw Refused.field(
          ProblemType.INVALID_REQUEST,
          "node",
          "the gang has nodes 0 to " + (attempt.placement().nodes() - 1));
    }
    return attempt;
  }

  private Uni<Multi<byte[]>> read(Attempt attempt, Asked asked, Onward onward) {
    ClusterName cluster = attempt.placement().offering().cluster();
    Optional<OpenLog> here =
        agents.read(
            cluster,
            new AgentLogs.Wanted(attempt.id(), asked.node(), asked.follow(), asked.since()));
    if (here.isPresent()) {
      return begun(here.get());
    }
    if (onward.authorization().isEmpty()) {
      throw away(cluster);
    }
    return agents
        .replicaOf(cluster)
        .chain(
            address ->
                replicas.get(
                    address.orElseThrow(() -> away(cluster)),
                    onward.path(),
                    onward.authorization().get()));
  }

  private static Uni<Multi<byte[]>> begun(OpenLog log) {
    return Uni.createFrom()
        .completionStage(log::first)
        .ifNoItem()
        .after(PATIENCE)
        .recoverWithItem(NOTHING_YET)
        .map(
            first -> {
              if (first.trouble().isPresent() && first.bytes().length() == 0) {
                throw new Refused(ProblemType.NOT_FOUND, first.trouble().get());
              }
              return log.pieces().map(JobLogs::bytes);
            })
        .onCancellation()
        .invoke(log::giveUp);
  }

  /** What ends a log early is its last line. */
  private static byte[] bytes(Piece piece) {
    return piece
        .trouble()
        .map(
            why ->
                piece
                    .bytes()
                    .copy()
                    .appendString("\n[spillway: " + why + "]\n", StandardCharsets.UTF_8.name()))
        .orElse(piece.bytes())
        .getBytes();
  }

  private static RetryLater away(ClusterName cluster) {
    return new RetryLater(
        ProblemType.NOT_CONNECTED, "the agent of cluster " + cluster + " is not connected", RETRY);
  }
}
