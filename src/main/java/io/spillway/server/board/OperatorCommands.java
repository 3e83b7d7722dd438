package io.spillway.server.board;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.json.Texts;
import io.spillway.server.loop.StateReader;
import io.spillway.server.policy.LivePolicies;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/** Commands on queues, offerings, pools, clusters and the whole. */
@ApplicationScoped
public class OperatorCommands {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MAX_REASON = 200;

  private final Inbox inbox;
  private final LivePolicies policies;
  private final StateReader state;
  private final InstantSource clock = InstantSource.system();

  OperatorCommands(Inbox inbox, LivePolicies policies, StateReader state) {
    this.inbox = inbox;
    this.policies = policies;
    this.state = state;
  }

  public Uni<CommandAnswer> pauseQueue(Caller caller, QueueName queue, Switch to) {
    PolicySet live = policies.current();
    exists("queue", queue, live.queues().keySet());
    return send(
        caller,
        to.verb("pause", "resume"),
        queue.value(),
        new CommandInput.QueuePauseSet(queue, to.isOn()));
  }

  public Uni<CommandAnswer> pauseSystem(Caller caller, Switch to) {
    return send(
        caller, to.verb("pause", "resume"), "system", new CommandInput.SystemPauseSet(to.isOn()));
  }

  /** The operator's word that RECOVERY is over. */
  public Uni<CommandAnswer> recover(Caller caller) {
    return Uni.createFrom()
        .completionStage(() -> state.read(view -> view.system().recovery().isPresent()))
        .chain(
            recovering -> {
              if (!recovering) {
                throw new Refused(ProblemType.STATE_CONFLICT, "the system is not in RECOVERY");
              }
              return send(caller, "recover", "system", new CommandInput.RecoveryEnded());
            });
  }

  public Uni<CommandAnswer> block(
      Caller caller, OfferingId offering, Duration time, String reason) {
    if (reason.length() > MAX_REASON || !Texts.isStorable(reason)) {
      throw Refused.field(
          ProblemType.INVALID_REQUEST, "reason", "must have at most " + MAX_REASON + " characters");
    }
    return known(offering)
        .chain(
            () ->
                send(
                    caller,
                    "block",
                    offering.text(),
                    new CommandInput.OfferingBlockSet(offering, time, reason)));
  }

  public Uni<CommandAnswer> unblock(Caller caller, OfferingId offering) {
    return known(offering)
        .chain(
            () ->
                send(
                    caller,
                    "unblock",
                    offering.text(),
                    new CommandInput.OfferingBlockLifted(offering)));
  }

  public Uni<CommandAnswer> cordonPool(Caller caller, PoolName pool, Switch to) {
    exists("pool", pool, policies.current().pools().keySet());
    return send(
        caller,
        to.verb("cordon", "uncordon"),
        pool.value(),
        new CommandInput.PoolCordonSet(pool, to.isOn()));
  }

  public Uni<CommandAnswer> cordonCluster(Caller caller, ClusterName cluster, Switch to) {
    exists("cluster", cluster, policies.current().clusters().keySet());
    return send(
        caller,
        to.verb("cordon", "uncordon"),
        cluster.value(),
        new CommandInput.ClusterCordonSet(cluster, to.isOn()));
  }

  /** The operator's word that every instance of the cluster is gone. */
  public Uni<CommandAnswer> declareLost(Caller caller, ClusterName cluster) {
    exists("cluster", cluster, policies.current().clusters().keySet());
    return send(
        caller, "declare-lost", cluster.value(), new CommandInput.ClusterDeclaredLost(cluster));
  }

  /** On or off. */
  public enum Switch {
    ON,
    OFF;

    boolean isOn() {
      return this == ON;
    }

    String verb(String on, String off) {
      return isOn() ? on : off;
    }
  }

  Uni<CommandAnswer> send(Caller caller, String verb, String subject, CommandInput input) {
    return inbox
        .append(Lane.COMMANDS, caller.name(), List.of(input))
        .chain(key -> inbox.committed(key, PATIENCE))
        .map(committed -> new CommandAnswer(verb, subject, !committed));
  }

  private Uni<Void> known(OfferingId offering) {
    Instant now = clock.instant();
    return Uni.createFrom()
        .completionStage(
            () ->
                state.read(
                    view -> view.offerings(now).stream().anyMatch(o -> o.id().equals(offering))))
        .invoke(
            found -> {
              if (!found) {
                throw new Refused(ProblemType.NOT_FOUND, "there is no offering " + offering.text());
              }
            })
        .replaceWithVoid();
  }

  static void exists(String what, Object name, Collection<?> names) {
    if (!names.contains(name)) {
      throw new Refused(ProblemType.NOT_FOUND, "there is no " + what + " " + name);
    }
  }
}
