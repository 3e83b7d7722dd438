package io.spillway.capacity.aws;

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

/** Amazon EC2. */
public final class AwsProvider implements CapacityProvider {
  private final AwsZones zones = new AwsZones();
  private final Facts facts;
  private final FailureClassifier classifier;
  private final EventNormalizer normalizer;

  public AwsProvider() {
    this(AwsEvents.USUAL);
  }

  private AwsProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(new AwsFailureClassifier());
    this.normalizer = new AwsEvents(classifier, zones, facts);
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new AwsProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "aws";
  }

  /** Names of {@code gpuInfo} that mean one model; A100 and V100 exist in two sizes there. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    return AwsGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    AwsSettings.check(account);
    return new AwsProbe(account, zones);
  }

  /** Zone ids by the names that zones have in the account. */
  @Override
  public Map<String, String> learnt(String account) {
    return zones.of(account);
  }

  @Override
  public void learn(String account, Map<String, String> known) {
    known.forEach((name, id) -> zones.learn(account, name, id));
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
