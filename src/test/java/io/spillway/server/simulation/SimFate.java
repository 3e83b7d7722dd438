package io.spillway.server.simulation;

import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput.FailureObserved;
import io.spillway.scheduler.input.MarketInput.NoticeReceived;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What markets and providers do: prices move, machines are called back, nodes die. */
final class SimFate {
  private final RandomGenerator random;
  private final Oracle oracle;
  private final List<SimCluster> clusters;
  private final Consumer<Input> inbox;
  private int notices;

  SimFate(RandomGenerator random, Oracle oracle, List<SimCluster> clusters, Consumer<Input> inbox) {
    this.random = random;
    this.oracle = oracle;
    this.clusters = clusters;
    this.inbox = inbox;
  }

  void strike(Instant now) {
    if (random.nextInt(5) == 0) {
      CapacityType type = random.nextBoolean() ? CapacityType.SPOT : CapacityType.ON_DEMAND;
      inbox.accept(
          new ObservationChanged(SimMarket.observed(SimMarket.awsKey(zone(), type), random, now)));
    }
    if (random.nextInt(25) == 0) {
      inbox.accept(
          new FailureObserved(
              new CapacityFailure(
                  FailureClass.NO_CAPACITY,
                  BlockScope.of(SimMarket.awsKey(zone(), CapacityType.SPOT)),
                  Duration.ofMinutes(1),
                  "late",
                  now.minusSeconds(random.nextInt(300)))));
    }
    SimCluster cluster = clusters.get(random.nextInt(clusters.size()));
    List<Run> victims = cluster.runs.values().stream().filter(Run::exists).toList();
    if (!victims.isEmpty() && random.nextInt(8) == 0) {
      interrupt(cluster, victims.get(random.nextInt(victims.size())), now);
    }
    if (random.nextInt(12) == 0) {
      cluster.loseNode(now);
    }
    if (random.nextInt(40) == 0) {
      cluster.getStuck(now);
    }
  }

  private String zone() {
    return SimMarket.ZONES.get(random.nextInt(SimMarket.ZONES.size()));
  }

  /** With a notice ahead, without one, told twice, or only told to be at risk. */
  private void interrupt(SimCluster cluster, Run run, Instant now) {
    CapacityNotice.Kind kind =
        switch (random.nextInt(6)) {
          case 0 -> CapacityNotice.Kind.RISK;
          case 1 -> CapacityNotice.Kind.LOSS;
          case 2 -> CapacityNotice.Kind.MAINTENANCE;
          default -> CapacityNotice.Kind.INTERRUPTION;
        };
    boolean loss = kind == CapacityNotice.Kind.LOSS;
    boolean risk = kind == CapacityNotice.Kind.RISK;
    Instant deadline = loss ? now : now.plusSeconds(30 + random.nextInt(90));
    String machine = run.instances.getFirst();
    CapacityNotice notice = notice(cluster, kind, machine, now, deadline);
    oracle.note(now + " notice " + notice);
    inbox.accept(new NoticeReceived(notice));
    if (random.nextInt(3) == 0) {
      inbox.accept(new NoticeReceived(notice));
    }
    if (loss) {
      cluster.lose(machine, Cause.NODE_LOST, now);
    } else if (!risk) {
      cluster.callBack(machine, deadline);
    }
  }

  private CapacityNotice notice(
      SimCluster cluster, CapacityNotice.Kind kind, String machine, Instant now, Instant deadline) {
    boolean aws = cluster.name.value().equals("eks");
    return new CapacityNotice(
        "n-" + ++notices,
        aws ? "aws" : "oci",
        "prod",
        aws ? "us-east-2" : "eu-frankfurt-1",
        kind,
        List.of(machine),
        Optional.empty(),
        now,
        kind == CapacityNotice.Kind.RISK ? Optional.empty() : Optional.of(deadline));
  }
}
