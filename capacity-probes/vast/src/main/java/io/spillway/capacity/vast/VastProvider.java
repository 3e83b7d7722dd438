package io.spillway.capacity.vast;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** Vast.ai: the door of this module. */
public final class VastProvider implements CapacityProvider {
  /** Whoever is outbid is stopped at once. */
  private static final Facts USUAL = Facts.of("vast", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public VastProvider() {
    this(USUAL);
  }

  private VastProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(VastFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new VastProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "vast";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return VastGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new VastProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is Vast.ai's: it pushes none. A machine that was outbid shows as stopped to whoever
   * asks for it.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }

  @Override
  public WayIn wayIn() {
    return new WayIn(
        false,
        "Vast.ai rents containers, not machines: they join no Kubernetes cluster, and this version"
            + " starts work in clusters only");
  }
}
