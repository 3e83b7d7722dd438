package io.spillway.capacity.simulated;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/**
 * The provider {@code simulated}. Each of its accounts plays the part of another provider, named by
 * the key {@code credentials.provider}, and observes it under that name; so a cluster of provider
 * {@code aws} is served by an account of {@code simulated} that plays {@code aws}, while the real
 * module {@code aws} stays without an account and thus off. Refusals and events come in the real
 * providers' shapes and are read by their modules.
 */
public final class SimulatedProvider implements CapacityProvider {
  /** Its accounts play other providers, whose modules read their events. */
  private static final Facts USUAL = Facts.of("simulated", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public SimulatedProvider() {
    this(USUAL);
  }

  private SimulatedProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(new DefaultClassification());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new SimulatedProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return Map.of();
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new SimulatedProbe(account);
  }

  @Override
  public String marketOf(AccountSettings account) {
    return SimulatedProbe.part(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /** No event is this provider's own. */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }
}
