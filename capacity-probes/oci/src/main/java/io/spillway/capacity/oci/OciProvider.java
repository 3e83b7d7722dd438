package io.spillway.capacity.oci;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.util.Map;

/**
 * Oracle Cloud Infrastructure: its events and refusals. A probe of real tenancies is not there yet.
 */
public final class OciProvider implements CapacityProvider {
  private final FailureClassifier classifier = new OciFailureClassifier();
  private final EventNormalizer normalizer = new OciEvents(classifier);

  @Override
  public String name() {
    return "oci";
  }

  /** By shape: OCI's own answers name no GPU. */
  @Override
  public Map<String, GpuModel> gpuAliases() {
    return Map.of(
        "BM.GPU4.8", new GpuModel("nvidia-a100-40gb"),
        "BM.GPU.A100-v2.8", new GpuModel("nvidia-a100-80gb"),
        "BM.GPU.H100.8", new GpuModel("nvidia-h100-80gb"),
        "BM.GPU.H200.8", new GpuModel("nvidia-h200-141gb"),
        "BM.GPU.MI300X.8", new GpuModel("amd-mi300x-192gb"),
        "BM.GPU.L40S.4", new GpuModel("nvidia-l40s-48gb-pcie"));
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    throw new IllegalArgumentException(
        "this version observes no real OCI tenancy; its account id is used to read events");
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
