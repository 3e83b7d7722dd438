package io.spillway.capacity.gcp;

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

/** Google Cloud's Compute Engine: what its zones sell and hold, its events and its refusals. */
public final class GcpProvider implements CapacityProvider {
  /**
   * What the metadata server of a spot VM is told before its end (Compute Engine documentation).
   */
  private static final Facts USUAL = Facts.of("gcp", Duration.ofSeconds(30));

  private final Facts facts;
  private final FailureClassifier classifier;
  private final EventNormalizer normalizer;

  public GcpProvider() {
    this(USUAL);
  }

  private GcpProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(new GcpFailureClassifier());
    this.normalizer = new GcpEvents(classifier);
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new GcpProvider(facts.with(told));
  }

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
