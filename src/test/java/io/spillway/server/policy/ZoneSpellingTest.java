package io.spillway.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.server.providers.Providers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZoneSpellingTest {
  private static final String POLICIES =
      """
      apiVersion: spillway.io/v1beta1
      kind: Cluster
      metadata: {name: oke}
      spec:
        provider: oci
        account: prod
        region: eu-frankfurt-1
        capacity:
          - {instanceType: BM.GPU.H100.8, capacityTypes: [on-demand], zones: ["AbCd:eu-frankfurt-1-ad-2"], maxNodes: 4}
      ---
      apiVersion: spillway.io/v1beta1
      kind: Cluster
      metadata: {name: eks}
      spec:
        provider: aws
        account: prod
        region: us-east-2
        capacity:
          - {instanceType: p5.48xlarge, capacityTypes: [spot], zones: [USE2-AZ1, use2-az1], maxNodes: 4}
      ---
      apiVersion: spillway.io/v1beta1
      kind: Pool
      metadata: {name: metal}
      spec: {cluster: oke, instanceType: BM.GPU.H100.8, zone: eu-frankfurt-1-ad-1, capacityType: reserved, nodes: 4, pricePerNodeHour: 80.00, accounting: Sunk}
      """;

  @Test
  void a_zone_that_a_person_wrote_is_the_one_that_nodes_and_observations_carry() {
    Map<String, CapacityProvider> modules = Providers.installed();
    PolicySet written =
        ((Compiled) PolicyCompiler.compile(List.of(new SourceFile("all.yaml", POLICIES))))
            .policies();

    PolicySet spelled =
        new ZoneSpelling((provider, zone) -> modules.get(provider).zoneOf(zone)).of(written);

    assertThat(spelled.pools().get(new PoolName("metal")).zone()).isEqualTo("EU-FRANKFURT-1-AD-1");
    assertThat(spelled.clusters().get(new ClusterName("oke")).capacity().getFirst().zones())
        .containsExactly("EU-FRANKFURT-1-AD-2");
    assertThat(spelled.clusters().get(new ClusterName("eks")).capacity().getFirst().zones())
        .containsExactly("use2-az1");
    assertThat(spelled.version()).isEqualTo(written.version());
  }
}
