package io.spillway.capacity.simulated.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.simulated.cloud.Account;
import io.spillway.capacity.simulated.cloud.Behaviour;
import io.spillway.capacity.simulated.cloud.Cloud;
import io.spillway.capacity.simulated.ledger.LedgerLine;
import io.spillway.capacity.simulated.market.Catalogue;
import io.spillway.capacity.simulated.market.Market;
import io.spillway.capacity.simulated.market.MarketSettings;
import io.spillway.capacity.simulated.time.VirtualTimeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Hold;
import io.spillway.protocol.v1.Launch;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentTest {
  private static final String ATTEMPT = "01JDZ0000000000000000000AA-1";
  private static final String OTHER = "01JDZ0000000000000000000BB-1";

  private final VirtualTimeline timeline =
      new VirtualTimeline(Instant.parse("2026-11-30T08:00:00Z"));
  private final Market market = new Market(timeline, MarketSettings.calm(1));
  private final MemoryLedger ledger = new MemoryLedger(timeline);
  private final List<AgentMessage> told = new ArrayList<>();
  private final Cloud cloud =
      new Cloud(timeline, market, Behaviour.CALM, (topic, key, json) -> {}, 1);
  private final Agent agent;
  private final Acquisition nodes;

  AgentTest() {
    Catalogue.all().forEach(market::sell);
    ClusterSpec spec =
        new ClusterSpec(
            "eks-ohio",
            new Account("aws-demo", "aws", "210987654321"),
            "us-east-2",
            List.of(
                new ClusterSpec.Entry(
                    "p5.48xlarge",
                    List.of("spot", "on-demand"),
                    List.of("use2-az1"),
                    4,
                    "efa",
                    "g")),
            List.of(
                new ClusterSpec.PoolSpec(
                    "reserved", "p5.48xlarge", "use2-az1", "reserved", 2, "efa", "r")));
    agent =
        new Agent(
            timeline,
            cloud,
            new Book(ledger, timeline, "eks-ohio"),
            new Voice(message -> told.add(message.build())));
    nodes = new Acquisition(timeline, market, cloud, spec, agent);
    agent.uses(nodes);
  }

  private static Launch launch(int count, String pool, String seconds) {
    return Launch.newBuilder()
        .setZone("use2-az1")
        .setInstanceType("p5.48xlarge")
        .setCapacityType(pool.isEmpty() ? "spot" : "reserved")
        .setPool(pool)
        .setNodes(count)
        .setGpusPerNode(8)
        .putAllEnv(Map.of("SIM_RUN_SECONDS", seconds))
        .build();
  }

  private void start(String attempt, long epoch, Launch launch) {
    agent.start(Start.newBuilder().setAttempt(attempt).setEpoch(epoch).setLaunch(launch).build());
  }

  private void stop(String attempt, long epoch) {
    agent.stop(Stop.newBuilder().setAttempt(attempt).setEpoch(epoch).setGraceMs(30_000).build());
  }

  private void seconds(long seconds) {
    timeline.advance(Duration.ofSeconds(seconds));
  }

  private List<Phase> phases(String attempt) {
    return told.stream()
        .filter(m -> m.getAttempt().getAttempt().equals(attempt))
        .map(m -> m.getAttempt().getPhase())
        .toList();
  }

  private AttemptReport last(String attempt) {
    return told.stream()
        .map(AgentMessage::getAttempt)
        .filter(r -> r.getAttempt().equals(attempt))
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  private List<String> book(String attempt) {
    return ledger.lines().stream()
        .filter(line -> line.attempt().equals(attempt))
        .map(LedgerLine::event)
        .toList();
  }

  @Test
  void a_start_boots_a_node_runs_and_exits_with_the_jobs_code() {
    start(ATTEMPT, 5, launch(1, "", "10"));
    seconds(20);
    assertThat(phases(ATTEMPT))
        .containsExactly(Phase.PHASE_STARTING, Phase.PHASE_RUNNING, Phase.PHASE_ENDED);
    assertThat(last(ATTEMPT).getEndCause()).isEqualTo(EndCause.END_CAUSE_EXITED);
    assertThat(last(ATTEMPT).getExitCodesList()).containsExactly(0);
    assertThat(last(ATTEMPT).getRanForMs()).isEqualTo(10_000);
    assertThat(book(ATTEMPT)).containsExactly("apply", "start", "end");
  }

  @Test
  void a_repeated_start_starts_nothing_whether_it_runs_or_has_ended() {
    start(ATTEMPT, 5, launch(1, "", "10"));
    seconds(6);
    start(ATTEMPT, 6, launch(1, "", "10"));
    seconds(30);
    start(ATTEMPT, 7, launch(1, "", "10"));
    seconds(30);
    assertThat(book(ATTEMPT)).containsExactly("apply", "start", "end");
    assertThat(phases(ATTEMPT))
        .containsExactly(
            Phase.PHASE_STARTING,
            Phase.PHASE_RUNNING,
            Phase.PHASE_RUNNING,
            Phase.PHASE_ENDED,
            Phase.PHASE_ENDED);
  }

  @Test
  void a_stop_of_an_older_epoch_is_refused_and_one_of_the_same_is_obeyed() {
    start(ATTEMPT, 5, launch(1, "", "100"));
    seconds(6);
    stop(ATTEMPT, 4);
    seconds(6);
    assertThat(last(ATTEMPT).getPhase()).isEqualTo(Phase.PHASE_RUNNING);
    stop(ATTEMPT, 5);
    seconds(3);
    assertThat(last(ATTEMPT).getEndCause()).isEqualTo(EndCause.END_CAUSE_STOPPED);
    assertThat(last(ATTEMPT).getExitCodesList()).containsExactly(143);
    assertThat(book(ATTEMPT)).containsExactly("apply", "start", "stop", "end");
  }

  @Test
  void a_stop_that_overtook_its_start_forbids_it() {
    stop(ATTEMPT, 5);
    start(ATTEMPT, 5, launch(1, "", "1"));
    seconds(30);
    assertThat(book(ATTEMPT)).containsExactly("stop");
    assertThat(phases(ATTEMPT)).containsOnly(Phase.PHASE_ABSENT);
  }

  @Test
  void a_gang_that_does_not_fit_whole_starts_no_member() {
    start(ATTEMPT, 5, launch(5, "", "10"));
    seconds(10);
    assertThat(book(ATTEMPT)).containsExactly("apply", "end");
    assertThat(told)
        .anySatisfy(m -> assertThat(m.getSymptom().getMessage()).contains("max node group size"));
    assertThat(cloud.instances()).hasSize(2);
  }

  @Test
  void a_refusal_is_a_symptom_with_the_attempt_and_the_attempt_is_withdrawn() {
    market.force(
        market.lines("aws").stream()
            .filter(l -> l.zone().equals("use2-az1") && l.instanceType().equals("p5.48xlarge"))
            .filter(l -> l.capacityType().text().equals("spot"))
            .findFirst()
            .orElseThrow(),
        0,
        Duration.ofHours(1));
    start(ATTEMPT, 5, launch(1, "", "10"));
    seconds(1);
    AgentMessage symptom = told.stream().filter(AgentMessage::hasSymptom).findFirst().orElseThrow();
    assertThat(symptom.getSymptom().getReason()).isEqualTo("InsufficientInstanceCapacity");
    assertThat(symptom.getSymptom().getAttempt()).isEqualTo(ATTEMPT);
    assertThat(last(ATTEMPT).getPhase()).isEqualTo(Phase.PHASE_ENDED);
    assertThat(last(ATTEMPT).getEndCause()).isEqualTo(EndCause.END_CAUSE_DELETED);
  }

  @Test
  void a_hold_keeps_its_nodes_from_others_until_the_start_or_the_release() {
    agent.hold(
        Hold.newBuilder()
            .setAttempt(ATTEMPT)
            .setEpoch(5)
            .setLaunch(launch(2, "reserved", "10"))
            .build());
    seconds(1);
    assertThat(phases(ATTEMPT)).containsExactly(Phase.PHASE_HELD);
    start(OTHER, 6, launch(1, "reserved", "10"));
    seconds(5);
    assertThat(phases(OTHER)).containsExactly(Phase.PHASE_STARTING);
    agent.release(ATTEMPT, 6);
    seconds(5);
    assertThat(phases(ATTEMPT)).containsExactly(Phase.PHASE_HELD, Phase.PHASE_ABSENT);
    assertThat(phases(OTHER)).containsExactly(Phase.PHASE_STARTING, Phase.PHASE_RUNNING);
  }

  @Test
  void a_start_after_its_hold_runs_on_the_held_nodes() {
    Launch launch = launch(2, "reserved", "10");
    agent.hold(Hold.newBuilder().setAttempt(ATTEMPT).setEpoch(5).setLaunch(launch).build());
    seconds(1);
    start(ATTEMPT, 6, launch);
    seconds(2);
    assertThat(phases(ATTEMPT))
        .containsExactly(Phase.PHASE_HELD, Phase.PHASE_STARTING, Phase.PHASE_RUNNING);
    assertThat(last(ATTEMPT).getAttemptEpoch()).isEqualTo(6);
    assertThat(last(ATTEMPT).getInstancesList()).hasSize(2);
  }

  @Test
  void a_workload_that_waits_too_long_on_a_full_pool_is_refused_as_unschedulable() {
    start(OTHER, 5, launch(2, "reserved", "1000"));
    seconds(2);
    start(ATTEMPT, 5, launch(1, "reserved", "10"));
    seconds(61);
    assertThat(last(ATTEMPT).getEndCause()).isEqualTo(EndCause.END_CAUSE_DELETED);
    assertThat(told)
        .anySatisfy(m -> assertThat(m.getSymptom().getReason()).isEqualTo("FailedScheduling"));
  }

  @Test
  void a_lost_node_ends_the_whole_gang_and_an_announced_one_is_a_disruption() {
    start(ATTEMPT, 5, launch(2, "", "1000"));
    start(OTHER, 5, launch(1, "", "1000"));
    seconds(6);
    cloud.lose(cloud.instance(last(ATTEMPT).getInstances(0)).orElseThrow());
    cloud.interrupt(
        cloud.instance(last(OTHER).getInstances(0)).orElseThrow(), Duration.ofSeconds(30));
    seconds(5);
    assertThat(last(ATTEMPT).getEndCause()).isEqualTo(EndCause.END_CAUSE_NODE_LOST);
    assertThat(last(OTHER).getPhase()).isEqualTo(Phase.PHASE_RUNNING);
    seconds(30);
    assertThat(last(OTHER).getEndCause()).isEqualTo(EndCause.END_CAUSE_DISRUPTED);
  }

  @Test
  void an_idle_node_is_given_back_and_a_used_one_is_not() {
    start(ATTEMPT, 5, launch(1, "", "1"));
    start(OTHER, 5, launch(1, "", "1000"));
    seconds(60);
    assertThat(
            cloud.instances().stream().filter(i -> i.line().capacityType().text().equals("spot")))
        .hasSize(1);
    assertThat(told).anySatisfy(m -> assertThat(m.getNodes().getGoneList()).hasSize(1));
  }

  @Test
  void a_sweep_tells_what_was_told_and_nothing_that_is_not_durable_yet() {
    start(ATTEMPT, 5, launch(1, "", "1000"));
    seconds(6);
    start(OTHER, 5, launch(1, "", "1000"));
    agent.sweep();
    timeline.advance(Duration.ZERO);
    AgentMessage sweep = told.stream().filter(AgentMessage::hasSweep).findFirst().orElseThrow();
    assertThat(sweep.getSweep().getPresentList())
        .extracting(present -> present.getAttempt() + " " + present.getPhase())
        .containsExactly(ATTEMPT + " PHASE_RUNNING", OTHER + " PHASE_STARTING");
  }
}
