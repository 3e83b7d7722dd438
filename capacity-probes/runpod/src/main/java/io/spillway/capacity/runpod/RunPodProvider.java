package io.spillway.capacity.runpod;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** RunPod: the door of this module. */
public final class RunPodProvider implements CapacityProvider {
  /** Five seconds are spoken of, and not promised. */
  private static final Facts USUAL = Facts.of("runpod", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public RunPodProvider() {
    this(USUAL);
  }

  private RunPodProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(RunPodFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new RunPodProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "runpod";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return RunPodGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new RunPodProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is RunPod's: it pushes none and gives spot no notice that one could count on. A pod
   * that was taken shows as {@code desiredStatus EXITED} to whoever asks for it.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }

  @Override
  public WayIn wayIn() {
    return new WayIn(
        false,
        "RunPod rents containers, not machines: they join no Kubernetes cluster, and this version"
            + " starts work in clusters only");
  }
}
