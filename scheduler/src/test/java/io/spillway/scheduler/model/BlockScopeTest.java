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

  @Test
  void an_offering_of_the_market_is_not_the_one_of_a_reservation_beside_it() {
    BlockScope scope = BlockScope.of(key(CapacityType.ON_DEMAND, ""));

    assertThat(scope.covers(key(CapacityType.ON_DEMAND, ""))).isTrue();
    assertThat(scope.covers(key(CapacityType.ON_DEMAND, "cr-1"))).isFalse();
    assertThat(scope.covers(key(CapacityType.RESERVED, "cr-1"))).isFalse();
    assertThat(scope.text()).isEqualTo("oci/prod/eu-frankfurt-1/ad-1/BM.GPU.H100.8/on-demand");
  }

  @Test
  void a_reservation_is_neither_the_market_nor_another_reservation() {
    BlockScope scope = BlockScope.of(key(CapacityType.RESERVED, "cr-1"));

    assertThat(scope.covers(key(CapacityType.RESERVED, "cr-1"))).isTrue();
    assertThat(scope.covers(key(CapacityType.RESERVED, "cr-2"))).isFalse();
    assertThat(scope.covers(key(CapacityType.RESERVED, ""))).isFalse();
    assertThat(scope.covers(key(CapacityType.SPOT, ""))).isFalse();
    assertThat(scope.onOpenMarket()).isEqualTo(scope);
  }

  @Test
  void machines_that_are_reserved_without_an_id_are_reserved_all_the_same() {
    BlockScope market = wide().onOpenMarket();
    BlockScope bare = BlockScope.of(key(CapacityType.RESERVED, ""));

    assertThat(market.covers(key(CapacityType.RESERVED, ""))).isFalse();
    assertThat(bare.covers(key(CapacityType.RESERVED, ""))).isTrue();
    assertThat(bare.covers(key(CapacityType.RESERVED, "cr-1"))).isFalse();
  }

  @Test
  void every_scope_has_a_text_of_its_own() {
    assertThat(wide().text()).isEqualTo("oci/prod/eu-frankfurt-1/ad-1/BM.GPU.H100.8/*");
    assertThat(wide().onOpenMarket().text())
        .isEqualTo("oci/prod/eu-frankfurt-1/ad-1/BM.GPU.H100.8/open");
    assertThat(wide()).isNotEqualByComparingTo(wide().onOpenMarket());
    assertThat(
            new BlockScope(
                    "aws",
                    "prod",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(CapacityType.SPOT),
                    Optional.empty(),
                    BlockScope.Reserved.INCLUDED)
                .text())
        .isEqualTo("aws/prod/*/*/*/spot/*");
  }

  @Test
  void a_scope_stored_before_that_knew_no_such_part_means_everything_as_it_did() {
    BlockScope old =
        new BlockScope(
            "oci",
            "prod",
            Optional.of("eu-frankfurt-1"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            null);

    assertThat(old.covers(key(CapacityType.RESERVED, "cr-1"))).isTrue();
    assertThat(old.covers(key(CapacityType.SPOT, ""))).isTrue();
  }

  private static BlockScope wide() {
    return new BlockScope(
        "oci",
        "prod",
        Optional.of("eu-frankfurt-1"),
        Optional.of("ad-1"),
        Optional.of("BM.GPU.H100.8"),
        Optional.empty(),
        Optional.empty(),
        BlockScope.Reserved.INCLUDED);
  }

  private static BlockScope family(String family) {
    return new BlockScope(
        "azure",
        "prod",
        Optional.of("eastus"),
        Optional.empty(),
        Optional.of(family),
        Optional.empty(),
        Optional.empty(),
        BlockScope.Reserved.INCLUDED);
  }

  private static MarketKey key(CapacityType type, String reservation) {
    return new MarketKey(
        "oci",
        "prod",
        "eu-frankfurt-1",
        "ad-1",
        "BM.GPU.H100.8",
        type,
        Optional.of(reservation).filter(id -> !id.isEmpty()));
  }

  private static MarketKey type(String instanceType) {
    return new MarketKey(
        "azure", "prod", "eastus", "eastus-1", instanceType, CapacityType.SPOT, Optional.empty());
  }
}
