package io.spillway.capacity.coreweave;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** CoreWeave: the door of this module. */
public final class CoreWeaveProvider implements CapacityProvider {
  private final FailureClassifier classifier = CoreWeaveFailures.classifier();
  private final EventNormalizer normalizer = new CoreWeaveEvents(classifier);

  @Override
  public String name() {
    return "coreweave";
  }

  /** By instance type, and by the names in the node label {@code gpu.nvidia.com/model}. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    CoreWeaveProbe.CATALOGUE
        .entries()
        .forEach((type, entry) -> aliases.put(type, entry.shape().gpu()));
    aliases.put("GH200_480GB", new GpuModel("nvidia-gh200-96gb"));
    return java.util.Collections.unmodifiableMap(aliases);
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new CoreWeaveProbe(account);
  }

  /** Zones are told in capitals: {@code US-EAST-04A}. */
  @Override
  public String zoneOf(String written) {
    return written.toUpperCase(Locale.ROOT);
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
