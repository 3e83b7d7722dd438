package io.spillway.capacity.lambda;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Map;

/** Lambda Cloud: the door of this module. */
public final class LambdaProvider implements CapacityProvider {
  private final FailureClassifier classifier = LambdaFailures.classifier();

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
