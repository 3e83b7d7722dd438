package io.spillway.capacity.hyperstack;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Map;

/** Hyperstack: the door of this module. */
public final class HyperstackProvider implements CapacityProvider {
  private final FailureClassifier classifier = HyperstackFailures.classifier();

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
