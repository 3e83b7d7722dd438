package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.MarketEvent.NoticeTaken;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.OfferingSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Providers' words that capacity goes (semantics §5, §6). A notice finds attempts by its instances,
 * as agents report them, in clusters of the same provider, account and region only. One that finds
 * none waits for its instance to appear.
 */
final class Notices {
  private final Scene scene;
  private final Drains drains;
  private final BlockBook blocks;

  Notices(Scene scene, Drains drains, BlockBook blocks) {
    this.scene = scene;
    this.drains = drains;
    this.blocks = blocks;
  }

  /** Takes a notice; one that was told before changes nothing. */
  void take(CapacityNotice notice, Instant receivedAt) {
    if (notice.kind() != Kind.RUNNING && scene.view().notice(notice.noticeId()).isEmpty()) {
      act(byOurClock(notice, receivedAt));
    }
  }

  /**
   * A deadline that seems past although it was not when the notice was made durable, by the
   * database's clock: ours ran ahead. What was left then is left now.
   */
  private CapacityNotice byOurClock(CapacityNotice notice, Instant receivedAt) {
    return notice
        .deadline()
        .filter(deadline -> deadline.isBefore(scene.now()) && deadline.isAfter(receivedAt))
        .map(deadline -> scene.now().plus(Duration.between(receivedAt, deadline)))
        .map(notice::withDeadline)
        .orElse(notice);
  }

  /**
   * An attempt was found to be on those instances: notices that waited for them act now.
   *
   * @param since when the attempt's state before that began
   */
  void appeared(Collection<String> instances, Instant since) {
    for (String instance : instances) {
      for (String id : scene.view().noticesNaming(instance)) {
        scene
            .view()
            .notice(id)
            .filter(waiting -> waiting.matched() == 0)
            .filter(waiting -> isStillMeant(waiting, since))
            .map(Memo.Notice::notice)
            .ifPresent(this::act);
      }
    }
  }

  /**
   * A machine of metal comes back under its old name. What ran there only after its loss, or runs
   * there after the time it was to go, is on a machine that lives.
   */
  private boolean isStillMeant(Memo.Notice waiting, Instant since) {
    return waiting.notice().kind() == Kind.LOSS
        ? !waiting.at().isBefore(since)
        : waiting.notice().deadline().map(scene.now()::isBefore).orElse(true);
  }

  private void act(CapacityNotice notice) {
    List<Attempt> touched = touched(notice);
    int matched =
        switch (notice.kind()) {
          case RISK -> avoid(notice, touched);
          case INTERRUPTION -> drain(notice, touched, Reason.INTERRUPTED);
          case MAINTENANCE -> drain(notice, touched, Reason.MAINTENANCE);
          case LOSS -> drain(notice, touched, Reason.INSTANCE_LOST);
          case RUNNING -> 0;
        };
    CoreSettings.Drain limits = scene.settings().drain();
    Instant until = scene.now().plus(matched == 0 ? limits.noticeWait() : limits.noticeMemory());
    scene.emit(new NoticeTaken(notice, scene.now(), matched, until));
  }

  private int drain(CapacityNotice notice, List<Attempt> touched, Reason reason) {
    touched.forEach(attempt -> drains.drain(attempt, reason, deadline(notice, attempt)));
    return touched.size();
  }

  private Instant deadline(CapacityNotice notice, Attempt attempt) {
    CoreSettings.Drain limits = scene.settings().drain();
    if (notice.kind() == Kind.LOSS) {
      ClusterName cluster = attempt.placement().offering().cluster();
      boolean connected = scene.view().cluster(cluster).connected();
      return connected ? scene.now().plus(limits.lossGrace()) : scene.now();
    }
    Instant grace = scene.now().plus(limits.grace());
    return notice
        .deadline()
        .map(instant -> instant.minus(limits.margin()))
        .filter(instant -> instant.isBefore(grace))
        .orElse(grace);
  }

  /** Nothing is drained; nothing new goes there for a while. */
  private int avoid(CapacityNotice notice, List<Attempt> touched) {
    NavigableSet<BlockScope> scopes = new TreeSet<>();
    notice.offering().map(BlockScope::of).ifPresent(scopes::add);
    touched.stream()
        .flatMap(attempt -> key(attempt.placement().offering()).stream())
        .map(BlockScope::of)
        .forEach(scopes::add);
    Instant at = notice.noticedAt().isAfter(scene.now()) ? scene.now() : notice.noticedAt();
    scopes.forEach(scope -> blocks.risk(scope, at));
    return Math.max(touched.size(), scopes.size());
  }

  private List<Attempt> touched(CapacityNotice notice) {
    NavigableSet<AttemptId> ids = new TreeSet<>();
    notice.instances().forEach(instance -> ids.addAll(scene.view().usage().onInstance(instance)));
    if (notice.instances().isEmpty()) {
      notice.offering().ifPresent(key -> ids.addAll(onOfferings(key)));
    }
    List<Attempt> touched = new ArrayList<>();
    for (AttemptId id : ids) {
      scene
          .view()
          .attempt(id)
          .filter(attempt -> isOf(notice, attempt.placement().offering().cluster()))
          .ifPresent(touched::add);
    }
    return touched;
  }

  private List<AttemptId> onOfferings(MarketKey key) {
    List<OfferingId> offerings =
        scene.view().catalogue().meantBy(key).stream().map(OfferingSpec::id).toList();
    return offerings.stream()
        .flatMap(offering -> scene.view().usage().on(offering.cluster()).stream())
        .flatMap(id -> scene.view().attempt(id).stream())
        .filter(attempt -> offerings.contains(attempt.placement().offering()))
        .map(Attempt::id)
        .toList();
  }

  private boolean isOf(CapacityNotice notice, ClusterName cluster) {
    ClusterPolicy policy = scene.view().policies().clusters().get(cluster);
    return policy != null
        && policy.provider().equals(notice.provider())
        && policy.account().equals(notice.account())
        && (notice.region().isEmpty() || policy.region().equals(notice.region()));
  }

  private Optional<MarketKey> key(OfferingId offering) {
    return scene.view().catalogue().key(offering);
  }
}
