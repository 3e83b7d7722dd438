package io.spillway.capacity.aws;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Map;

/** Amazon EC2: its events and refusals. A probe of real accounts is not there yet. */
public final class AwsProvider implements CapacityProvider {
  private final FailureClassifier classifier = new AwsFailureClassifier();
  private final EventNormalizer normalizer = new AwsEvents(classifier);

  @Override
  public String name() {
    return "aws";
  }

  /** Names of {@code gpuInfo} that mean one model; A100 and V100 exist in two sizes there. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    return Map.of(
        "H100", new GpuModel("nvidia-h100-80gb"),
        "H200", new GpuModel("nvidia-h200-141gb"),
        "B200", new GpuModel("nvidia-b200-180gb"),
        "L4", new GpuModel("nvidia-l4-24gb-pcie"),
        "L40S", new GpuModel("nvidia-l40s-48gb-pcie"),
        "A10G", new GpuModel("nvidia-a10g-24gb-pcie"),
        "T4", new GpuModel("nvidia-t4-16gb-pcie"));
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    throw new IllegalArgumentException(
        "this version observes no real AWS account; its account id is used to read events");
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
