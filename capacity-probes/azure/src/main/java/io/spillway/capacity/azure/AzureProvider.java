package io.spillway.capacity.azure;

import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Microsoft Azure: what its regions sell and hold, its events and its refusals. */
public final class AzureProvider implements CapacityProvider {
  private final FailureClassifier classifier = new AzureFailureClassifier();
  private final EventNormalizer normalizer = new AzureEvents(classifier);

  @Override
  public String name() {
    return "azure";
  }

  /** By size: Azure's own answers name no GPU. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    return AzureMarket.CATALOGUE.entries().values().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                FallbackCatalogue.Entry::instanceType, entry -> entry.shape().gpu()));
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new AzureProbe(account);
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
