package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.model.BlockScope;

/** What operators set. Setting what is set already is no event. */
final class Controls {
  private final Scene scene;
  private final BlockBook blocks;
  private final Clusters clusters;
  private final Recovery recovery;

  Controls(Scene scene, BlockBook blocks, Clusters clusters, Recovery recovery) {
    this.scene = scene;
    this.blocks = blocks;
    this.clusters = clusters;
    this.recovery = recovery;
  }

  /** A policy never disturbs what runs: it only changes what is decided from now on. */
  void offered(CommandInput.PolicyOffered offer) {
    if (!scene.view().policies().version().equals(offer.policies().version())) {
      scene.emit(new ControlEvent.PolicyAdopted(offer.policies(), scene.now()));
    }
  }

  void set(CommandInput.QueuePauseSet pause) {
    if (scene.view().queuePaused(pause.queue()) != pause.paused()) {
      scene.emit(new ControlEvent.QueuePaused(pause.queue(), pause.paused()));
    }
  }

  void set(CommandInput.SystemPauseSet pause) {
    if (scene.view().system().paused() != pause.paused()) {
      scene.emit(new ControlEvent.SystemPaused(pause.paused()));
    }
  }

  void set(CommandInput.PoolCordonSet cordon) {
    if (scene.view().poolCordoned(cordon.pool()) != cordon.cordoned()) {
      scene.emit(new ControlEvent.PoolCordoned(cordon.pool(), cordon.cordoned()));
    }
  }

  void set(CommandInput.ClusterCordonSet cordon) {
    if (scene.view().cluster(cordon.cluster()).cordoned() != cordon.cordoned()) {
      scene.emit(new ClusterEvent.ClusterCordoned(cordon.cluster(), cordon.cordoned()));
    }
  }

  void set(CommandInput.OfferingBlockSet block) {
    scene
        .view()
        .catalogue()
        .key(block.offering())
        .map(BlockScope::of)
        .ifPresentOrElse(
            scope -> blocks.set(scope, block.time(), block.reason()),
            () -> scene.ignore(block, block.offering(), "its cluster is in no policy"));
  }

  void lifted(CommandInput.OfferingBlockLifted lift) {
    scene
        .view()
        .catalogue()
        .key(lift.offering())
        .map(BlockScope::of)
        .ifPresentOrElse(
            blocks::lift, () -> scene.ignore(lift, lift.offering(), "its cluster is in no policy"));
  }

  void registered(CommandInput.ClusterRegistered registration) {
    if (!scene.view().cluster(registration.cluster()).registered()) {
      scene.emit(new ClusterEvent.ClusterRegistered(registration.cluster(), scene.now()));
    }
  }

  void declared(CommandInput.ClusterDeclaredLost word) {
    clusters.declaredLost(word.cluster());
  }

  void recoveryEnded() {
    recovery.endByOperator();
  }
}
