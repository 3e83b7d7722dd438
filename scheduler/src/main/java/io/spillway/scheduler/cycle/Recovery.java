package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.NewerStoreReported;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.OfferingSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What happens after an old copy of the store was restored (semantics §15): nothing is placed or
 * stopped, attempts that run are adopted from what agents report, until an operator says so or
 * every agent has swept and nothing is left unmatched.
 */
final class Recovery {
  private final Scene scene;
  private final Endings endings;
  private final Strays strays;

  Recovery(Scene scene, Endings endings, Strays strays) {
    this.scene = scene;
    this.endings = endings;
    this.strays = strays;
  }

  void enter(NewerStoreReported report) {
    if (!scene.recovering()) {
      String reason =
          report.cluster() + " knows store " + report.storeGeneration() + " up to " + report.head();
      scene.emit(new ControlEvent.RecoveryEntered(reason, scene.now()));
    }
  }

  void endByOperator() {
    if (scene.recovering()) {
      scene.emit(new ControlEvent.RecoveryLeft(scene.now(), true));
    }
  }

  /**
   * Leaves by itself once every registered agent that ever came has swept since and no stray is
   * left.
   */
  void endIfAllMatched() {
    if (!scene.recovering()) {
      return;
    }
    Instant since = scene.view().system().recoveryAt();
    List<Memo.ClusterFlags> registered =
        scene.view().agents().stream().filter(Memo.ClusterFlags::registered).toList();
    boolean allMatched =
        registered.stream()
            .allMatch(
                cluster ->
                    !cluster.sweptAt().isBefore(since)
                        && cluster.sweptAt().isAfter(Instant.EPOCH)
                        && scene.view().strays(cluster.name()).isEmpty());
    if (allMatched && !registered.isEmpty()) {
      scene.emit(new ControlEvent.RecoveryLeft(scene.now(), false));
    }
  }

  /**
   * Adopts a live workload of a job that waits and has no such attempt. That it was started proves
   * that the attempt before it was over, though the restored store did not live to see it: that one
   * is fenced, so that its stop is told should the agent know it after all.
   */
  boolean adopt(AttemptReported report) {
    Optional<OfferingId> offering = offering(report.cluster(), report.instances());
    Optional<Job> job =
        scene
            .view()
            .job(report.attempt().job())
            .filter(known -> report.attempt().number() > known.attempts());
    if (offering.isEmpty() || job.isEmpty()) {
      return false;
    }
    fenceBefore(job.get(), report.attempt());
    Optional<Job> waiting =
        scene
            .view()
            .job(report.attempt().job())
            .filter(known -> known.state() instanceof JobState.Queued);
    waiting.ifPresent(known -> adopt(report, known, offering.get()));
    return waiting.isPresent();
  }

  /** A job that is being cancelled stays so; its later attempt ends as a stray. */
  private void fenceBefore(Job job, AttemptId later) {
    if (job.state() instanceof JobState.Cancelling) {
      return;
    }
    EndVerdict over =
        new EndVerdict(Outcome.FENCED, Reason.SUPERSEDED, later + " was started after it");
    Endings.currentOf(job.state())
        .flatMap(scene.view()::attempt)
        .ifPresent(before -> endings.end(before, over));
  }

  private void adopt(AttemptReported report, Job job, OfferingId offering) {
    AttemptId id = report.attempt();
    Instant now = scene.now();
    Instant deadline = now.plus(scene.view().catalogue().launchDeadline(offering));
    scene.emit(
        new AttemptEvent.AttemptIntended(
            id, placement(job, offering), Optional.empty(), now, report.attemptEpoch()));
    scene.emit(new AttemptEvent.AttemptLaunching(id, offering, now, deadline));
    scene.emit(new JobEvent.JobLaunching(job.id(), id));
    switch (report.phase()) {
      case RUNNING -> {
        Instant since = report.ranFor().map(now::minus).orElse(now);
        scene.emit(new AttemptEvent.AttemptRunning(id, offering, since, report.instances()));
        scene.emit(new JobEvent.JobRunning(job.id(), id, since));
      }
      default -> scene.emit(new AttemptEvent.AttemptStarting(id, offering, now, deadline));
    }
  }

  /** Holds each waiting job beside whose next attempt a stray of it would run. */
  void keepBack() {
    if (scene.recovering()) {
      return;
    }
    for (Memo.Stray stray : scene.view().strays()) {
      scene
          .view()
          .job(stray.attempt().job())
          .filter(job -> job.state() instanceof JobState.Queued)
          .filter(strays::runBeside)
          .ifPresent(
              job -> scene.emit(new JobEvent.JobHeld(job.id(), scene.now(), Reason.STRAY_RUNS)));
    }
  }

  /** That stray is gone: its job may go on. */
  void letGo(AttemptId gone) {
    scene
        .view()
        .job(gone.job())
        .filter(
            job -> job.state() instanceof JobState.Held held && held.reason() == Reason.STRAY_RUNS)
        .ifPresent(
            job ->
                scene.emit(
                    new JobEvent.JobQueued(
                        job.id(),
                        scene.now(),
                        Reason.STRAY_GONE,
                        job.standing(),
                        Optional.empty())));
  }

  /** The price is what is known now: the one fixed at placement was lost with the newer store. */
  private Attempt.Placement placement(Job job, OfferingId offering) {
    Optional<MarketKey> key = scene.view().catalogue().key(offering);
    UsdPerGpuHour price =
        key.flatMap(scene.view()::observation)
            .flatMap(seen -> seen.price())
            .orElse(UsdPerGpuHour.ZERO);
    UsdPerGpuHour onDemand =
        key.flatMap(scene.view()::observation).flatMap(seen -> seen.onDemandPrice()).orElse(price);
    return new Attempt.Placement(
        offering,
        job.standing().firstRung(),
        "adopted",
        price,
        onDemand,
        job.order().shape().nodes(),
        job.order().shape().gpusPerNode());
  }

  private Optional<OfferingId> offering(ClusterName cluster, List<String> instances) {
    return instances.stream()
        .flatMap(instance -> scene.view().inventory().byInstance(instance).stream())
        .filter(node -> node.cluster().equals(cluster))
        .map(Memo.Node::node)
        .findFirst()
        .map(node -> offering(cluster, node));
  }

  private OfferingId offering(ClusterName cluster, ReportedNode node) {
    return scene.view().catalogue().specs().values().stream()
        .map(OfferingSpec::id)
        .filter(id -> id.cluster().equals(cluster))
        .filter(id -> id.zone().equals(node.zone()))
        .filter(id -> id.instanceType().equals(node.instanceType()))
        .filter(id -> id.capacityType() == node.capacityType())
        .findFirst()
        .orElseGet(
            () ->
                new OfferingId(
                    cluster,
                    node.zone(),
                    node.instanceType(),
                    node.capacityType(),
                    Optional.empty()));
  }
}
