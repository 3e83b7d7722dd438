package io.spillway.capacity.simulated;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Map;

/**
 * The provider {@code simulated}. Each of its accounts plays the part of another provider, named by
 * the key {@code credentials.provider}, and observes it under that name; so a cluster of provider
 * {@code aws} is served by an account of {@code simulated} that plays {@code aws}, while the real
 * module {@code aws} stays without an account and thus off. Refusals and events come in the real
 * providers' shapes and are read by their modules.
 */
public final class SimulatedProvider implements CapacityProvider {
  private final FailureClassifier classifier = new DefaultClassification();

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
