package io.spillway.capacity.hyperstack;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** Hyperstack: the door of this module. */
public final class HyperstackProvider implements CapacityProvider {
  /** Spot machines are deleted without a word. */
  private static final Facts USUAL = Facts.of("hyperstack", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public HyperstackProvider() {
    this(USUAL);
  }

  private HyperstackProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(HyperstackFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new HyperstackProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "hyperstack";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return HyperstackGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new HyperstackProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is Hyperstack's: it pushes none and gives spot no notice. A machine that was deleted
   * shows only in the list of one's machines; the agent of its cluster loses the node sooner.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }
}
