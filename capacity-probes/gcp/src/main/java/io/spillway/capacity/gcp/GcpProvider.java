package io.spillway.capacity.gcp;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Locale;
import java.util.Map;

/** Google Cloud's Compute Engine: what its zones sell and hold, its events and its refusals. */
public final class GcpProvider implements CapacityProvider {
  private final FailureClassifier classifier = new GcpFailureClassifier();
  private final EventNormalizer normalizer = new GcpEvents(classifier);

  @Override
  public String name() {
    return "gcp";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return GcpGpus.aliases();
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new GcpProbe(account);
  }

  @Override
  public String zoneOf(String written) {
    return written.toLowerCase(Locale.ROOT);
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
