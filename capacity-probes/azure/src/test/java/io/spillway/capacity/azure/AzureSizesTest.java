package io.spillway.capacity.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.model.GpuModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureSizesTest {
  @ParameterizedTest
  @CsvSource({
    "Standard_ND96asr_v4,nvidia-a100-40gb,Standard_ND*asr_v4",
    "Standard_ND96amsr_A100_v4,nvidia-a100-80gb,Standard_ND*_A100_v4",
    "Standard_ND96isr_H100_v5,nvidia-h100-80gb,Standard_ND*_H100_v5",
    "Standard_ND96is_flex_H100_v5,nvidia-h100-80gb,Standard_ND*_H100_v5",
    "Standard_ND96isr_H200_v5,nvidia-h200-141gb,Standard_ND*_H200_v5",
    "Standard_ND128isr_NDR_GB200_v6,nvidia-gb200-186gb,Standard_ND*_GB200_v6",
    "Standard_ND96isr_MI300X_v5,amd-mi300x-192gb,Standard_ND*_MI300X_v5",
    "Standard_NC40ads_H100_v5,nvidia-h100-94gb-nvl,Standard_NC*_H100_v5",
    "Standard_NC48ads_A100_v4,nvidia-a100-80gb-pcie,Standard_NC*_A100_v4",
    "Standard_NC6s_v3,nvidia-v100-16gb,Standard_NC*s_v3"
  })
  void a_name_tells_the_gpu_and_the_family(String size, String gpu, String family) {
    assertThat(AzureSizes.gpu(size)).contains(new GpuModel(gpu));
    assertThat(AzureSizes.family(size)).isEqualTo(family);
  }

  @Test
  void a_size_without_a_whole_gpu_has_none() {
    assertThat(AzureSizes.gpu("Standard_D96s_v5")).isEmpty();
    assertThat(AzureSizes.gpu("Standard_NV6ads_A10_v5")).isEmpty();
    assertThat(AzureSizes.family("strange")).isEqualTo("strange");
  }
}
