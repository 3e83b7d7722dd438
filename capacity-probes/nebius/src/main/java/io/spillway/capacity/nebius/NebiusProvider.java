package io.spillway.capacity.nebius;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** Nebius AI Cloud: the door of this module. */
public final class NebiusProvider implements CapacityProvider {
  /** From SIGTERM to the stop (Nebius documentation). */
  private static final Facts USUAL = Facts.of("nebius", Duration.ofSeconds(60));

  private final Facts facts;
  private final FailureClassifier classifier;
  private final EventNormalizer normalizer;

  public NebiusProvider() {
    this(USUAL);
  }

  private NebiusProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(NebiusFailures.classifier());
    this.normalizer = new NebiusEvents(facts);
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new NebiusProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "nebius";
  }

  /** By platform. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    return NebiusShape.PLATFORMS;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new NebiusProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  @Override
  public EventNormalizer normalizer() {
    return normalizer;
  }
}
