package io.spillway.capacity.coreweave;

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
import java.util.TreeMap;

/** CoreWeave: the door of this module. */
public final class CoreWeaveProvider implements CapacityProvider {
  /** The longest that the window lasts (CoreWeave documentation). */
  private static final Facts USUAL = Facts.of("coreweave", Duration.ofMinutes(7));

  private final Facts facts;
  private final FailureClassifier classifier;
  private final EventNormalizer normalizer;

  public CoreWeaveProvider() {
    this(USUAL);
  }

  private CoreWeaveProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(CoreWeaveFailures.classifier());
    this.normalizer = new CoreWeaveEvents(classifier, facts);
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new CoreWeaveProvider(facts.with(told));
  }

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
