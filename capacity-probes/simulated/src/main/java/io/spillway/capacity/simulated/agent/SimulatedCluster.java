package io.spillway.capacity.simulated.agent;

import com.google.protobuf.ByteString;
import io.spillway.capacity.simulated.agent.Workload.State;
import io.spillway.capacity.simulated.cloud.Cloud;
import io.spillway.capacity.simulated.cloud.Instance;
import io.spillway.capacity.simulated.ledger.Ledger;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.market.Market;
import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.Phase;
import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;
import java.util.List;

/** One cluster with its nodes, its agent and its stream. Only from the timeline. */
public final class SimulatedCluster implements AgentLink.Listener {
  private final ClusterSpec spec;
  private final Cloud cloud;
  private final AgentLink link;
  private final Agent agent;
  private final Acquisition nodes;

  /** Everything that clusters share. */
  public record Surroundings(
      Timeline timeline,
      Market market,
      Cloud cloud,
      Ledger ledger,
      AgentMemory memory,
      Gateways gateways) {}

  public SimulatedCluster(ClusterSpec spec, Surroundings around, Restored restored) {
    this.spec = spec;
    this.cloud = around.cloud;
    this.link = new AgentLink(around.timeline, spec.name(), around.memory, around.gateways, this);
    Book book = new Book(around.ledger, around.timeline, spec.name());
    this.agent = new Agent(around.timeline, cloud, book, new Voice(link::send));
    this.nodes = new Acquisition(around.timeline, around.market, cloud, spec, agent);
    agent.uses(nodes);
    agent.recall(restored.over());
    restored.open().forEach(this::resume);
    link.open();
  }

  private void resume(Restored.Open open) {
    State state =
        switch (open.event()) {
          case "hold" -> State.HOLDING;
          case "start" -> State.RUNNING;
          case "stop" -> State.STOPPING;
          default -> State.APPLIED;
        };
    Workload workload = new Workload(open.attempt(), open.epoch(), open.order(), state);
    for (String id : open.instances()) {
      nodes
          .adopt(cloud.instance(id).orElseGet(() -> instance(id, open.order())))
          .ifPresent(node -> nodes.book().put(workload, node));
    }
    if (open.startedMillis() > 0) {
      workload.started(open.startedMillis());
    }
    agent.resume(
        workload,
        switch (state) {
          case RUNNING, STOPPING -> Phase.PHASE_RUNNING;
          case APPLIED -> Phase.PHASE_STARTING;
          default -> Phase.PHASE_UNSPECIFIED;
        });
  }

  private Instance instance(String id, Order order) {
    Line line =
        new Line(
            spec.account().provider(),
            spec.region(),
            order.zone(),
            order.instanceType(),
            CapacityType.parse(order.capacityType()));
    return new Instance(id, line, spec.account().id(), spec.name());
  }

  @Override
  public void welcomed() {
    agent.inventory();
  }

  @Override
  public void sweepDue() {
    agent.sweep();
  }

  @Override
  public void command(ControlFrame frame) {
    switch (frame.getBodyCase()) {
      case HOLD -> agent.hold(frame.getHold());
      case RELEASE -> agent.release(frame.getRelease().getAttempt(), frame.getRelease().getEpoch());
      case START -> agent.start(frame.getStart());
      case STOP -> agent.stop(frame.getStop());
      case SWEEP_REQUEST -> agent.sweep();
      case LOG_REQUEST ->
          log(frame.getLogRequest().getRequest(), frame.getLogRequest().getAttempt());
      default -> {}
    }
  }

  private void log(long request, String attempt) {
    link.send(
        AgentMessage.newBuilder()
            .setLogChunk(
                LogChunk.newBuilder()
                    .setRequest(request)
                    .setData(ByteString.copyFromUtf8(attempt + " on " + spec.name() + "\n"))
                    .setLast(true)));
  }

  /** Cuts the agent off for that long; its workloads run on. */
  public void partition(Duration time) {
    link.partition(time);
  }

  public void close() {
    link.close();
  }

  public ClusterSpec spec() {
    return spec;
  }

  /** For the control page. */
  public Status status() {
    List<Running> workloads =
        agent.workloads().stream()
            .map(
                w ->
                    new Running(
                        w.attempt,
                        w.epoch(),
                        w.state().name(),
                        w.order.instanceType(),
                        w.order.capacityType(),
                        w.order.pool(),
                        w.instances()))
            .toList();
    return new Status(
        spec.name(), link.connected(), link.unacknowledged(), nodes.book().all().size(), workloads);
  }

  /** How a cluster fares. */
  public record Status(
      String cluster, boolean connected, int unacknowledged, int nodes, List<Running> workloads) {}

  /** One workload. */
  public record Running(
      String attempt,
      long epoch,
      String state,
      String instanceType,
      String capacityType,
      String pool,
      List<String> instances) {}
}
