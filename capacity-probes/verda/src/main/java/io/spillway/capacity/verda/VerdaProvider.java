package io.spillway.capacity.verda;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** Verda: the door of this module. */
public final class VerdaProvider implements CapacityProvider {
  /** Spot machines are discontinued without a word. */
  private static final Facts USUAL = Facts.of("verda", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public VerdaProvider() {
    this(USUAL);
  }

  private VerdaProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(VerdaFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new VerdaProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "verda";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return VerdaGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new VerdaProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is Verda's: it pushes none and gives spot no notice. A machine that was discontinued
   * shows only in the list of one's machines; the agent of its cluster loses the node sooner.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }

  @Override
  public WayIn wayIn() {
    return new WayIn(
        true,
        "a Kubernetes cluster with Spillway's agent that Verda's machines join by their start-up"
            + " script: Verda has no node groups");
  }
}
