package io.spillway.capacity.nebius;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Map;

/** Nebius AI Cloud: the door of this module. */
public final class NebiusProvider implements CapacityProvider {
  private final FailureClassifier classifier = NebiusFailures.classifier();
  private final EventNormalizer normalizer = new NebiusEvents();

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
