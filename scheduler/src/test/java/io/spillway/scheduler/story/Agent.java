package io.spillway.scheduler.story;

import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.AgentInput.Present;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.Ability;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.Grounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What agents say of a job's newest attempt, each word with a later number than the one before. */
public final class Agent {
  private static long seq;

  private final World world;
  private final long epoch;

  Agent(World world, long epoch) {
    this.world = world;
    this.epoch = epoch;
  }

  public Input starting(String name) {
    return report(world.attempt(name), Phase.STARTING, List.of(), Optional.empty());
  }

  public Input running(String name, String... instances) {
    return report(world.attempt(name), Phase.RUNNING, List.of(instances), Optional.empty());
  }

  public Input held(String name, String... instances) {
    return report(world.attempt(name), Phase.HELD, List.of(instances), Optional.empty());
  }

  public Input exited(String name, Integer... codes) {
    return ended(world.attempt(name), Cause.EXITED, codes);
  }

  public Input ended(Attempt attempt, Cause cause, Integer... codes) {
    return report(
        attempt, Phase.ENDED, attempt.instances(), Optional.of(new End(List.of(codes), cause, "")));
  }

  public Input absent(Attempt attempt) {
    return report(attempt, Phase.ABSENT, List.of(), Optional.empty());
  }

  public AttemptReported report(
      Attempt attempt, Phase phase, List<String> instances, Optional<End> end) {
    return new AttemptReported(
        attempt.placement().offering().cluster(),
        epoch,
        ++seq,
        attempt.id(),
        attempt.epoch(),
        phase,
        instances,
        Optional.empty(),
        end);
  }

  /** Capacity was refused where the job's newest attempt launches. */
  public Input refused(String name, Duration block) {
    Attempt attempt = world.attempt(name);
    return new AgentInput.SymptomReported(
        attempt.placement().offering().cluster(),
        Optional.of(attempt.id()),
        new CapacityFailure(
            FailureClass.NO_CAPACITY,
            BlockScope.of(Land.key(attempt.placement().offering())),
            block,
            "InsufficientInstanceCapacity",
            world.now()));
  }

  public Input gate(String name, String words) {
    return new AgentInput.GateRefused(world.clusterOf(name), world.attempt(name).id(), words);
  }

  /** The gateway has no words for the newest attempt, as its cluster and the policies now are. */
  public Input untranslatable(String name, String words, Ability... restsOn) {
    ClusterName cluster = world.clusterOf(name);
    return new AgentInput.TranslationRefused(
        cluster,
        world.attempt(name).id(),
        words,
        new Grounds(
            world.state().policies().version(),
            world.state().abilities(cluster).only(List.of(restsOn))));
  }

  /** What the cluster has now, one word a kind. */
  public Input able(ClusterName cluster, Map<Ability, String> fingerprints) {
    return new AgentInput.AbilitiesReported(cluster, new Abilities(fingerprints));
  }

  public Input sweep(ClusterName cluster, Present... present) {
    return new AgentInput.Swept(cluster, epoch, ++seq, List.of(present));
  }

  public static Present present(Attempt attempt, Phase phase) {
    return new Present(attempt.id(), attempt.epoch(), phase, attempt.instances());
  }
}
