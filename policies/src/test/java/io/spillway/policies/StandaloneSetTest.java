package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy.Accounting;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StandaloneSetTest {
  private final Compilation compilation =
      PolicyCompiler.compile(PolicyFiles.of(PolicyFiles.EXAMPLES.resolve("standalone")));

  @Test
  void it_compiles_and_its_only_warning_is_the_money_spent_beside_idle_reservations() {
    assertThat(compilation).isInstanceOf(Compiled.class);
    assertThat(compilation.findings())
        .extracting(Finding::code)
        .containsOnly(FindingCode.SUNK_BELOW_PAID);
  }

  @Test
  void what_the_documents_say_is_what_the_core_gets() {
    PolicySet set = ((Compiled) compilation).policies();

    assertThat(set.version()).matches("[0-9a-f]{64}");
    assertThat(set.priorityClasses())
        .containsEntry("low", 0)
        .containsEntry("normal", 100)
        .containsEntry("urgent", 1000);
    QueuePolicy research = set.queues().get(new QueueName("research"));
    assertThat(research.ladder())
        .extracting(Rung::name)
        .containsExactly("cheap-spot", "reserved", "last-resort");
    Rung spot = research.ladder().getFirst();
    assertThat(spot.capacityTypes()).containsExactly(CapacityType.SPOT);
    assertThat(spot.maxPricePerGpuHour()).contains(UsdPerGpuHour.parse("3.50"));
    assertThat(spot.until().orElseThrow().waited()).contains(Duration.ofMinutes(2));
    assertThat(spot.until().orElseThrow().interruptions()).hasValue(1);
    assertThat(research.ladder().get(1).until()).isEmpty();
    assertThat(research.retry().backoff()).isEqualTo(Duration.ofSeconds(10));
    var pool = set.pools().get(new PoolName("oci-h100-baremetal"));
    assertThat(pool.pricePerNodeHour()).isEqualTo(new Usd(80_000_000));
    assertThat(pool.accounting()).isEqualTo(Accounting.SUNK);
    assertThat(pool.fabric().orElseThrow().name()).isEqualTo("cn-frankfurt-1");
  }
}
