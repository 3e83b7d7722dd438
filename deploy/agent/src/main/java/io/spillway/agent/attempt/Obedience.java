package io.spillway.agent.attempt;

import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.attempt.Tracked.StopOrder;
import io.spillway.agent.gate.Gate;
import io.spillway.agent.gate.Manifest;
import io.spillway.agent.memory.Fate;
import io.spillway.agent.memory.Past;
import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.Hold;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Release;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import java.util.List;
import java.util.Optional;
import java.util.logging.Logger;

/**
 * Carries out commands, each at most once, however often it comes. A fate that is remembered
 * answers before anything else: what ended, was stopped, or was refused never starts again. That it
 * is remembered before it is told is what keeps a job from running twice: the control plane starts
 * the next attempt by the answer to a stop of this one, or drops a refused hold, while a start may
 * still be on its way. Only from the timeline.
 */
public final class Obedience {
  private static final Logger LOG = Logger.getLogger(Obedience.class.getName());

  private final Timeline timeline;
  private final Past past;
  private final Gate gate;
  private final Attempts attempts;
  private final Voice voice;
  private final Hands hands;

  public Obedience(
      Timeline timeline, Past past, Gate gate, Attempts attempts, Voice voice, Hands hands) {
    this.timeline = timeline;
    this.past = past;
    this.gate = gate;
    this.attempts = attempts;
    this.voice = voice;
    this.hands = hands;
    hands.whenNeverRan(this::neverRan);
  }

  public void hold(Hold hold) {
    if (unfit(hold.getAttempt()) || answered(hold.getAttempt())) {
      return;
    }
    Optional<Tracked> known = attempts.find(hold.getAttempt());
    if (known.isPresent()
        && (known.get().applying() || !known.get().isEmpty() || known.get().held())) {
      attempts.repeat(known.get());
      return;
    }
    admitted(
            hold.getAttempt(),
            hold.getEpoch(),
            Gate.Command.HOLD,
            manifests(hold.getManifestsList()))
        .ifPresent(manifests -> keep(hold, manifests));
  }

  private void keep(Hold hold, List<Manifest> manifests) {
    Tracked tracked = attempts.begin(hold.getAttempt(), hold.getEpoch());
    if (manifests.isEmpty()) {
      tracked.held(true);
      attempts.judge(tracked);
      return;
    }
    apply(tracked, hold.getEpoch(), manifests, () -> attempts.judge(tracked));
  }

  public void start(Start start) {
    if (unfit(start.getAttempt()) || answered(start.getAttempt())) {
      return;
    }
    Optional<Tracked> known = attempts.find(start.getAttempt());
    if (known.filter(t -> t.started() || t.stop().isPresent()).isPresent()) {
      attempts.repeat(known.get());
      return;
    }
    if (known.filter(Tracked::applying).isPresent()) {
      // Of a hold that is still being applied: the start comes again, or waits in the same lane.
      known.get().next(() -> start(start));
      return;
    }
    admitted(
            start.getAttempt(),
            start.getEpoch(),
            Gate.Command.START,
            manifests(start.getManifestsList()))
        .ifPresent(manifests -> launch(start, manifests));
  }

  private void launch(Start start, List<Manifest> manifests) {
    Tracked tracked = attempts.begin(start.getAttempt(), start.getEpoch());
    tracked.epoch(start.getEpoch());
    tracked.held(false);
    List<io.spillway.agent.kube.ObjectRef> holds = tracked.of(Role.HOLD);
    apply(
        tracked,
        start.getEpoch(),
        manifests,
        () -> {
          tracked.started(true);
          attempts.judge(tracked);
          hands.delete(tracked.attempt, holds, () -> holds.forEach(tracked::isGone));
        });
  }

  private void apply(Tracked tracked, long epoch, List<Manifest> manifests, Runnable applied) {
    tracked.applying(true);
    hands.apply(
        tracked,
        epoch,
        manifests,
        result -> {
          tracked.applying(false);
          result.there().forEach(tracked::exists);
          if (result.refusal().isPresent()) {
            refuse(tracked.attempt, epoch, result.refusal().get());
          } else if (tracked.stop().isPresent()) {
            tracked.started(tracked.workloadRef().isPresent());
            hands.stop(tracked);
            attempts.judge(tracked);
          } else {
            applied.run();
            tracked.takeNext().ifPresent(Runnable::run);
          }
        });
  }

  public void release(Release release) {
    if (unfit(release.getAttempt())) {
      return;
    }
    Optional<Tracked> known = attempts.find(release.getAttempt());
    if (known.filter(Tracked::started).isPresent()) {
      attempts.repeat(known.get());
    } else {
      end(release.getAttempt(), new StopOrder(release.getEpoch(), 1, "RELEASED"));
    }
  }

  public void stop(Stop stop) {
    if (unfit(stop.getAttempt())) {
      return;
    }
    long grace = Math.max(1, Math.ceilDiv(Math.max(0, stop.getGraceMs()), 1000L));
    end(stop.getAttempt(), new StopOrder(stop.getEpoch(), grace, stop.getReason()));
  }

  private void end(String attempt, StopOrder order) {
    Optional<Tracked> known = attempts.find(attempt);
    if (known.isEmpty()) {
      if (isRefused(attempt)) {
        // That was the answer to a start. A stop asks whether anything of it is here.
        past.then(() -> voice.absent(attempt, order.epoch()));
      } else if (!answered(attempt)) {
        Fate absent = Fate.absent(order.epoch(), timeline.now());
        past.put(attempt, absent, () -> voice.absent(attempt, order.epoch()));
      }
      return;
    }
    Tracked tracked = known.get();
    if (order.epoch() < tracked.epoch()) {
      LOG.warning(
          () ->
              "stop of "
                  + attempt
                  + " not obeyed: its epoch "
                  + order.epoch()
                  + " is below "
                  + tracked.epoch());
      attempts.repeat(tracked);
      return;
    }
    // What was refused is remembered as that, and is being undone.
    boolean again = tracked.stop().isPresent() || isRefused(attempt);
    tracked.stop(order);
    tracked.stopAsked(order.epoch());
    if (again) {
      attempts.repeat(tracked);
      if (!tracked.applying()) {
        hands.stop(tracked);
      }
      return;
    }
    past.put(
        attempt,
        Fate.stopping(order.epoch(), timeline.now(), order.reason()),
        () -> {
          // What is still being applied is stopped when that is over.
          if (!tracked.applying()) {
            hands.stop(tracked);
            attempts.judge(tracked);
          }
        });
  }

  /** Held, or refused half-way: nothing of it ever ran. */
  private void neverRan(Tracked tracked) {
    attempts.forget(tracked.attempt);
    Fate fate =
        past.of(tracked.attempt)
            .filter(f -> f.kind() == Fate.Kind.REFUSED)
            .orElseGet(() -> Fate.absent(tracked.epoch(), timeline.now()));
    past.put(tracked.attempt, fate, () -> voice.fate(tracked, fate));
  }

  /** What is not admitted is remembered as refused, then told. */
  private Optional<List<Manifest>> admitted(
      String attempt, long epoch, Gate.Command command, List<byte[]> manifests) {
    return switch (gate.check(attempt, command, manifests)) {
      case Gate.Admitted ok -> Optional.of(ok.manifests());
      case Gate.Refused no -> {
        refuse(attempt, epoch, no.reason());
        yield Optional.empty();
      }
    };
  }

  /**
   * Remembered first, then told; and told only once nothing of the attempt is here: whoever hears
   * of a refusal may start the job elsewhere.
   */
  private void refuse(String attempt, long epoch, String reason) {
    LOG.warning(() -> attempt + " refused: " + reason);
    past.put(
        attempt,
        Fate.refused(epoch, timeline.now(), reason),
        () -> {
          Optional<Tracked> tracked = attempts.find(attempt);
          if (tracked.filter(known -> !known.isEmpty()).isPresent()) {
            undo(tracked.get(), epoch, reason);
          } else {
            attempts.forget(attempt);
            voice.refusal(attempt, reason);
            tracked.ifPresent(voice::stopAnswered);
          }
        });
  }

  /** What a hold, or half a start, has made of a refused attempt goes again. */
  private void undo(Tracked tracked, long epoch, String reason) {
    tracked.stop(new StopOrder(epoch, 1, reason));
    tracked.held(false);
    hands.stop(tracked);
    attempts.judge(tracked);
  }

  private boolean isRefused(String attempt) {
    return past.of(attempt).filter(fate -> fate.kind() == Fate.Kind.REFUSED).isPresent();
  }

  /** Whether the attempt's fate is sealed; then it is told again. */
  private boolean answered(String attempt) {
    Optional<Fate> fate = past.of(attempt);
    Optional<Tracked> known = attempts.find(attempt);
    if (fate.isEmpty()) {
      return false;
    }
    if (known.filter(t -> t.told() != Phase.PHASE_UNSPECIFIED).isPresent()
        && fate.get().kind() == Fate.Kind.STOPPING) {
      attempts.repeat(known.get());
    } else {
      past.then(() -> voice.fate(attempt, fate.get()));
    }
    return true;
  }

  private static boolean unfit(String attempt) {
    if (AttemptIds.isValid(attempt)) {
      return false;
    }
    LOG.warning("a command for something that is no attempt was left out");
    return true;
  }

  private static List<byte[]> manifests(List<com.google.protobuf.ByteString> manifests) {
    return manifests.stream().map(com.google.protobuf.ByteString::toByteArray).toList();
  }
}
