package io.spillway.capacity.aws;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Amazon EC2. */
public final class AwsProvider implements CapacityProvider {
  private final FailureClassifier classifier = new AwsFailureClassifier();
  private final AwsZones zones = new AwsZones();
  private final EventNormalizer normalizer;

  public AwsProvider() {
    this(AwsNotices.USUAL);
  }

  private AwsProvider(AwsNotices notices) {
    this.normalizer = new AwsEvents(classifier, zones, notices);
  }

  @Override
  public CapacityProvider with(Map<String, Duration> facts) {
    return new AwsProvider(AwsNotices.of(facts));
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
