package io.spillway.server.gateway;

import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.FailureClassifier;
import java.util.HashMap;
import java.util.Map;

/** The classifier of each provider that has a module; the defaults for all others. */
final class Classifiers {
  private static final FailureClassifier DEFAULTS = new DefaultClassification();

  private final Map<String, FailureClassifier> byProvider;

  private Classifiers(Map<String, FailureClassifier> byProvider) {
    this.byProvider = Map.copyOf(byProvider);
  }

  /** Those of the modules; one with the very name goes before a stand-in. */
  static Classifiers of(Map<String, CapacityProvider> modules) {
    Map<String, FailureClassifier> found = new HashMap<>();
    Map<String, FailureClassifier> standIns = new HashMap<>();
    for (CapacityProvider provider : modules.values()) {
      found.put(provider.name(), provider.classifier());
      provider.standsInFor().forEach(name -> standIns.put(name, provider.classifier()));
    }
    standIns.forEach(found::putIfAbsent);
    return new Classifiers(found);
  }

  FailureClassifier of(String provider) {
    return byProvider.getOrDefault(provider, DEFAULTS);
  }
}
