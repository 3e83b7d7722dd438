package io.spillway.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.server.world.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KillHarnessTest {
  private static final int A_HANDFUL = KillHarness.POINTS.size();
  private static final Duration A_KILL = Duration.ofSeconds(30);
  @TempDir Path folder;

  /** The time limit is its own, by the number of kills; the build's would end a long run. */
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  @Test
  void DST_09_killed_at_every_named_point_no_job_is_lost_and_none_runs_twice() {
    int kills = Integer.getInteger("spillway.kills", A_HANDFUL);
    long seed = Long.getLong("spillway.seed", System.nanoTime());
    Assertions.assertTimeout(
        A_KILL.multipliedBy(kills + 2L),
        () -> {
          try (TestStore store = new TestStore()) {
            KillHarness harness =
                new KillHarness(store, folder, agent(), new SplittableRandom(seed));
            assertThat(harness.run(kills)).as("seed %d, %s", seed, folder).isEmpty();
            assertThat(harness.killed()).isEqualTo(kills);
          }
        });
  }

  private static String agent() {
    return Boolean.getBoolean("spillway.sabotage.dedupe") ? "forgetful" : "dedupe";
  }

  @Test
  void the_audit_tells_a_second_start_an_overlap_and_a_run_without_intent() {
    var job = io.spillway.server.world.Orders.freshId();
    var first = new io.spillway.scheduler.model.AttemptId(job, 1);
    var second = new io.spillway.scheduler.model.AttemptId(job, 2);
    var faults =
        new LedgerAudit()
            .of(
                java.util.List.of(job),
                Stream.of(first, first, second)
                    .map(attempt -> new Ledger.Line(0, Ledger.Act.START, attempt, 1))
                    .toList(),
                java.util.List.of(),
                java.util.Set.of(first));
    assertThat(faults)
        .anyMatch(fault -> fault.contains("started twice"))
        .anyMatch(fault -> fault.contains("overlap"))
        .anyMatch(fault -> fault.contains("without intent"))
        .anyMatch(fault -> fault.contains("ended as null"));
  }
}
