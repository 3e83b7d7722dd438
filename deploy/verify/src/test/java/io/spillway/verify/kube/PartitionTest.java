package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spillway.verify.Full;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a partition does to jobs, by the machine's time and by hastened time. */
@Kubernetes
class PartitionTest {
  /** Seconds of the hastened programs in one of the machine's; an hour passes in four minutes. */
  private static final int HASTE = Integer.getInteger("spillway.verify.haste", 15);

  /** Silence, cut off at 90 s (a constant of the core), lost at 100, and something more. */
  @Test
  @Full("partition")
  void a_partition_kills_nothing_and_doubles_nothing(KubeWorld.Pair worlds) throws Exception {
    new Partition(Duration.ofSeconds(125), Duration.ofSeconds(100), 1).told(worlds);
  }

  @Test
  @Full("hour")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void an_hour_of_partition_kills_nothing_and_doubles_nothing() throws Exception {
    Optional<HastenedTime> time = HastenedTime.find();
    assumeTrue(
        time.isPresent(),
        "skipped: libfaketime is not there: VERIFY=kubernetes make verify-programs");
    int exit =
        time.get().run(HourOfPartition.class, HASTE, Files.createTempDirectory("spillway-hour"));
    assertThat(exit).as("what the hour's process says of it").isZero();
  }

  /** The hour, in a process whose children's clocks run fast while its own does not. */
  static final class HourOfPartition {
    private HourOfPartition() {}

    /**
     * Tells it and ends with 0 if all held.
     *
     * @param arguments how fast the clocks run
     */
    public static void main(String[] arguments) throws Exception {
      KubePrograms programs = KubePrograms.find().orElseThrow();
      // Without JobSet's webhook: its certificate would be made in the hastened time.
      try (KubeWorld first = KubeWorld.plain(programs);
          KubeWorld second = KubeWorld.plain(programs)) {
        new Partition(Duration.ofHours(1), Duration.ofMinutes(30), Integer.parseInt(arguments[0]))
            .told(new KubeWorld.Pair(first, second));
      }
    }
  }
}
