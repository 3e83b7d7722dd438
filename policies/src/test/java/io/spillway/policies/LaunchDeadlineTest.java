package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a start may take where a document says so, and where none does. */
class LaunchDeadlineTest {

  @ParameterizedTest
  @CsvSource({
    "aws, p5.48xlarge, 15",
    "oci, BM.GPU.H100.8, 40",
    "oci, VM.GPU.A10.1, 15",
    "coreweave, gd-8xh100ib-i128, 40",
    "lambda, gpu_8x_h100_sxm5, 15"
  })
  void bare_metal_gets_longer_than_a_virtual_machine_unless_somebody_says_otherwise(
      String provider, String instanceType, int minutes) {
    PolicySet set = compiled(provider, instanceType, "", "");
    assertThat(capacity(set)).isEqualTo(Duration.ofMinutes(minutes));
    assertThat(pool(set)).isEqualTo(Duration.ofMinutes(minutes));
  }

  @Test
  void the_nearest_word_counts() {
    PolicySet set =
        compiled("oci", "BM.GPU.H100.8", "launchDeadline: 25m,", "launchDeadline: 20m,");
    assertThat(capacity(set)).isEqualTo(Duration.ofMinutes(25));
    assertThat(pool(set)).isEqualTo(Duration.ofMinutes(20));
  }

  private static Duration capacity(PolicySet set) {
    ClusterPolicy cluster = set.clusters().values().iterator().next();
    return cluster.capacity().getFirst().launchDeadline();
  }

  private static Duration pool(PolicySet set) {
    return set.pools().values().iterator().next().launchDeadline();
  }

  private static PolicySet compiled(
      String provider, String instanceType, String ofCapacity, String ofPool) {
    String yaml =
        """
        apiVersion: spillway.io/v1beta1
        kind: Cluster
        metadata: {name: c}
        spec:
          provider: %1$s
          region: here
          capacity: [{%3$s instanceType: %2$s, capacityTypes: [on-demand], maxNodes: 4}]
        ---
        apiVersion: spillway.io/v1beta1
        kind: Pool
        metadata: {name: p}
        spec: {%4$s cluster: c, instanceType: %2$s, nodes: 4, pricePerNodeHour: 80}
        """
            .formatted(provider, instanceType, ofCapacity, ofPool);
    Compilation compilation = PolicyCompiler.compile(List.of(new SourceFile("c.yaml", yaml)));
    assertThat(compilation).as("%s", compilation.findings()).isInstanceOf(Compiled.class);
    return ((Compiled) compilation).policies();
  }
}
