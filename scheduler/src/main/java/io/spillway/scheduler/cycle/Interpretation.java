package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.PriceSanity;

/** One cycle's interpretation: which step answers which input, and what follows the inputs. */
final class Interpretation {
  private final Scene scene;
  private final PriceSanity prices;
  private final Watch watch;
  private final Recovery recovery;
  private final Notices notices;
  private final Refusals refusals;
  private final Reports reports;
  private final Sweeps sweeps;
  private final Clusters clusters;
  private final NodeReports nodes;
  private final Commands commands;
  private final Controls controls;
  private final DueTimers timers;

  Interpretation(Scene scene, PriceSanity prices) {
    this.scene = scene;
    this.prices = prices;
    Strays strays = new Strays(scene);
    Endings endings = new Endings(scene, strays);
    Drains drains = new Drains(scene, endings);
    BlockBook blocks = new BlockBook(scene);
    this.watch = new Watch(scene);
    this.recovery = new Recovery(scene, endings, strays);
    this.notices = new Notices(scene, drains, blocks);
    this.refusals = new Refusals(scene, drains, blocks);
    this.reports = new Reports(scene, endings, notices, blocks, recovery);
    this.sweeps = new Sweeps(scene, reports, endings, drains, recovery);
    this.clusters = new Clusters(scene, endings);
    this.nodes = new NodeReports(scene, drains);
    this.commands = new Commands(scene, endings, drains);
    this.controls = new Controls(scene, blocks, clusters, recovery);
    this.timers = new DueTimers(scene, endings, refusals, commands);
  }

  void of(Inputs inputs) {
    watch.listen();
    inputs.received().forEach(this::interpret);
    clusters.watch();
    timers.run();
    recovery.keepBack();
    watch.audit();
  }

  private void interpret(Received received) {
    switch (received.input()) {
      case CommandInput command -> interpret(command, received);
      case AgentInput report -> interpret(report);
      case MarketInput.NoticeReceived n -> notices.take(n.notice(), received.at());
      case MarketInput.FailureObserved f -> refusals.observed(f.failure());
      case MarketInput.ObservationChanged o -> adopt(o.observation());
    }
  }

  private void interpret(CommandInput command, Received received) {
    switch (command) {
      case CommandInput.JobSubmitted c -> commands.submitted(c, received);
      case CommandInput.JobCommanded c -> commands.commanded(c, received);
      case CommandInput.JobPatched c -> commands.patched(c, received);
      case CommandInput.AttemptStopRequested c -> commands.stopRequested(c, received);
      case CommandInput.PolicyOffered c -> controls.offered(c);
      case CommandInput.QueuePauseSet c -> controls.set(c);
      case CommandInput.SystemPauseSet c -> controls.set(c);
      case CommandInput.RecoveryEnded c -> controls.recoveryEnded();
      case CommandInput.OfferingBlockSet c -> controls.set(c);
      case CommandInput.OfferingBlockLifted c -> controls.lifted(c);
      case CommandInput.PoolCordonSet c -> controls.set(c);
      case CommandInput.ClusterCordonSet c -> controls.set(c);
      case CommandInput.ClusterRegistered c -> controls.registered(c);
      case CommandInput.ClusterDeclaredLost c -> controls.declared(c);
    }
  }

  private void interpret(AgentInput report) {
    switch (report) {
      case AgentInput.SessionOpened r -> clusters.opened(r);
      case AgentInput.SessionClosed r -> clusters.closed(r);
      case AgentInput.NodesReported r -> nodes.take(r);
      case AgentInput.AttemptReported r -> reports.take(r);
      case AgentInput.SymptomReported r -> refusals.symptom(r);
      case AgentInput.GateRefused r -> refusals.gate(r);
      case AgentInput.TranslationRefused r -> refusals.translation(r);
      case AgentInput.AbilitiesReported r -> clusters.able(r);
      case AgentInput.Swept r -> sweeps.take(r);
      case AgentInput.NewerStoreReported r -> recovery.enter(r);
    }
  }

  private void adopt(Observation observation) {
    scene.emit(new MarketEvent.ObservationAdopted(observation));
    prices
        .objection(observation, scene.view())
        .ifPresent(why -> scene.emit(new MarketEvent.PriceQuarantined(observation.key(), why)));
  }
}
