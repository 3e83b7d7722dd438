package io.spillway.capacity.oci;

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

/** Oracle Cloud Infrastructure: what its regions sell and hold, its events and its refusals. */
public final class OciProvider implements CapacityProvider {
  /** From the preemption action to its begin (OCI documentation). */
  private static final Facts USUAL = Facts.of("oci", Duration.ofMinutes(2));

  private final Facts facts;
  private final FailureClassifier classifier;
  private final EventNormalizer normalizer;

  public OciProvider() {
    this(USUAL);
  }

  private OciProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(new OciFailureClassifier());
    this.normalizer = new OciEvents(classifier, facts);
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new OciProvider(facts.with(told));
  }

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
