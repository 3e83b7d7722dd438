package io.spillway.capacity.azure;

import io.spillway.capacity.http.FallbackCatalogue;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Microsoft Azure: what its regions sell and hold, its events and its refusals. */
public final class AzureProvider implements CapacityProvider {
  private final Facts facts;
  private final FailureClassifier classifier;
  private final EventNormalizer normalizer;

  public AzureProvider() {
    this(ScheduledEvents.USUAL);
  }

  private AzureProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(new AzureFailureClassifier());
    this.normalizer = new AzureEvents(classifier, facts);
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new AzureProvider(facts.with(told));
  }

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
