package io.spillway.capacity.crusoe;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** Crusoe Cloud: the door of this module. */
public final class CrusoeProvider implements CapacityProvider {
  /** No notice of Crusoe is documented. */
  private static final Facts USUAL = Facts.of("crusoe", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public CrusoeProvider() {
    this(USUAL);
  }

  private CrusoeProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(CrusoeFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new CrusoeProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "crusoe";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return CrusoeTypes.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new CrusoeProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is Crusoe's: none is known, nor a notice before spot capacity is taken. That a machine
   * is gone is seen by the agent, whose node is lost.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }
}
