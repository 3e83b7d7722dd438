package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.cloud.Refusal;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.Nodes;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Present;
import io.spillway.protocol.v1.Sweep;
import io.spillway.protocol.v1.Symptom;
import java.util.Collection;
import java.util.function.Consumer;

/** Puts what happened into the protocol's words and hands it on. */
final class Voice {
  private final Consumer<AgentMessage.Builder> link;

  Voice(Consumer<AgentMessage.Builder> link) {
    this.link = link;
  }

  void phase(Workload workload, Phase phase, long ranMillis) {
    link.accept(
        AgentMessage.newBuilder()
            .setAttempt(
                AttemptReport.newBuilder()
                    .setAttempt(workload.attempt)
                    .setAttemptEpoch(workload.epoch())
                    .setPhase(phase)
                    .addAllInstances(workload.instances())
                    .setRanForMs(ranMillis)));
  }

  void ended(String attempt, Ended ended) {
    link.accept(
        AgentMessage.newBuilder()
            .setAttempt(
                AttemptReport.newBuilder()
                    .setAttempt(attempt)
                    .setAttemptEpoch(ended.epoch())
                    .setPhase(ended.phase())
                    .setEndCause(ended.cause())
                    .addAllExitCodes(ended.exitCodes())
                    .setMessage(ended.message())
                    .setRanForMs(ended.ranMillis())));
  }

  /**
   * Capacity is missing or in doubt.
   *
   * @param ends whether the attempt is given up for it
   */
  void symptom(Workload workload, Refusal refusal, boolean ends) {
    Order order = workload.order;
    link.accept(
        AgentMessage.newBuilder()
            .setSymptom(
                Symptom.newBuilder()
                    .setKind(refusal.code().equals("FailedScheduling") ? "Event" : "NodeClaim")
                    .setReason(refusal.code())
                    .setMessage(refusal.message())
                    .setObject(workload.attempt.toLowerCase(java.util.Locale.ROOT))
                    .setAttempt(ends ? workload.attempt : "")
                    .setZone(order.zone())
                    .setInstanceType(order.instanceType())
                    .setCapacityType(order.capacityType())));
  }

  void nodes(boolean complete, Collection<Node> changed, Collection<String> gone) {
    Nodes.Builder nodes = Nodes.newBuilder().setComplete(complete).addAllGone(gone);
    changed.forEach(node -> nodes.addNodes(protocol(node)));
    link.accept(AgentMessage.newBuilder().setNodes(nodes));
  }

  private static io.spillway.protocol.v1.Node protocol(Node node) {
    io.spillway.protocol.v1.Node.Builder built =
        io.spillway.protocol.v1.Node.newBuilder()
            .setName(node.name)
            .setProviderId(node.instance.id())
            .setZone(node.instance.line().zone())
            .setInstanceType(node.instance.line().instanceType())
            .setCapacityType(node.instance.line().capacityType().text())
            .setGpu(node.shape.gpu().name())
            .setGpus(node.shape.gpus())
            .setCpus(node.shape.cpus())
            .setMemoryGib(node.shape.memoryGiB())
            .setFabricType(node.fabricType)
            .setFabricName(node.fabricName)
            .setReady(node.ready());
    if (!node.pool.isEmpty()) {
      built.putLabels("spillway.io/pool", node.pool);
    }
    return built.build();
  }

  void sweep(Collection<Workload> told, long nowMillis) {
    Sweep.Builder sweep = Sweep.newBuilder();
    for (Workload workload : told) {
      sweep.addPresent(
          Present.newBuilder()
              .setAttempt(workload.attempt)
              .setAttemptEpoch(workload.epoch())
              .setPhase(workload.told())
              .addAllInstances(workload.instances())
              .setRanForMs(
                  workload.told() == Phase.PHASE_RUNNING
                      ? nowMillis - workload.startedMillis()
                      : 0));
    }
    link.accept(AgentMessage.newBuilder().setSweep(sweep));
  }
}
