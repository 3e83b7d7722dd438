package io.spillway.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockScopeTest {
  @Test
  void a_family_is_the_beginning_of_its_types() {
    assertThat(family("p5.").covers(type("p5.48xlarge"))).isTrue();
    assertThat(family("p5.").covers(type("p5en.48xlarge"))).isFalse();
  }

  @Test
  void a_family_whose_size_stands_in_the_middle_has_two_ends() {
    BlockScope scope = family("Standard_ND*_H100_v5");

    assertThat(scope.covers(type("Standard_ND96isr_H100_v5"))).isTrue();
    assertThat(scope.covers(type("Standard_ND96isr_H200_v5"))).isFalse();
    assertThat(scope.covers(type("Standard_NC40ads_H100_v5"))).isFalse();
    assertThat(family("aba*aba").covers(type("aba"))).isFalse();
  }

  private static BlockScope family(String family) {
    return new BlockScope(
        "azure",
        "prod",
        Optional.of("eastus"),
        Optional.empty(),
        Optional.of(family),
        Optional.empty(),
        Optional.empty());
  }

  private static MarketKey type(String instanceType) {
    return new MarketKey(
        "azure", "prod", "eastus", "eastus-1", instanceType, CapacityType.SPOT, Optional.empty());
  }
}
