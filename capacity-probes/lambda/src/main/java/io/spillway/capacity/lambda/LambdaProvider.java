package io.spillway.capacity.lambda;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** Lambda Cloud: the door of this module. */
public final class LambdaProvider implements CapacityProvider {
  /** Lambda has no spot capacity. */
  private static final Facts USUAL = Facts.of("lambda", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public LambdaProvider() {
    this(USUAL);
  }

  private LambdaProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(LambdaFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new LambdaProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "lambda";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return LambdaGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new LambdaProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is Lambda's: it pushes none, and gives no notice. That a machine is unhealthy or gone
   * is seen by the agent, whose node is lost.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }
}
