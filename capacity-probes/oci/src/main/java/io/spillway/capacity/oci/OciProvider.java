package io.spillway.capacity.oci;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Oracle Cloud Infrastructure: what its regions sell and hold, its events and its refusals. */
public final class OciProvider implements CapacityProvider {
  private final FailureClassifier classifier = new OciFailureClassifier();
  private final EventNormalizer normalizer = new OciEvents(classifier);

  @Override
  public String name() {
    return "oci";
  }

  /** By shape: OCI's own answers name no GPU. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    return OciMarket.CATALOGUE.entries().entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, shape -> shape.getValue().shape().gpu()));
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new OciProbe(account);
  }

  /** Nodes of OKE carry domains in capitals, without the tenancy's prefix. */
  @Override
  public String zoneOf(String written) {
    return OciPlaces.zone(written).toUpperCase(Locale.ROOT);
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
