package io.spillway.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.replay.Replay;
import io.spillway.server.replay.Verdict;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Journals of simulated runs, with all their faults, decided again from the inputs as they are
 * stored. A decision is one journalled cycle: its whole plan is compared by hash, and the state
 * after it by digest.
 */
class SimulatedReplayTest {
  /** For the long run, {@code -Dsimulation.replay=100000}. */
  private static final long DECISIONS = Long.getLong("simulation.replay", 3_000);

  private static final int STEPS = 1_000;

  @BeforeAll
  static void listenToNoWarnings() {
    SimulationTest.silence();
  }

  /** The build's time limit would end the long run. */
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  @Test
  void journals_decided_again_from_their_inputs_are_the_same_by_hash() {
    long decisions = 0;
    for (long seed = 1; decisions < DECISIONS; seed++) {
      RecordedRun run = record(seed);
      assertThat(replay(run, CoreSettings.DEFAULT))
          .as("seed %d", seed)
          .isEqualTo(new Verdict.Same(run.rows(), run.rows()));
      decisions += run.rows();
    }
    System.out.println(decisions + " decisions decided again: all the same");
  }

  @Test
  void one_changed_constant_shows_in_the_first_cycle_that_it_changes_with_both_plans() {
    RecordedRun run = record(1);

    assertThat(replay(run, exclusionOf(Duration.ofMinutes(11))))
        .isInstanceOfSatisfying(
            Verdict.Differs.class,
            differs -> {
              assertThat(differs.seq()).isBetween(1L, run.rows());
              assertThat(differs.cycle()).isEqualTo(run.cycle(differs.seq()));
              assertThat(differs.recorded()).isEqualTo(run.plan(differs.seq()));
              assertThat(differs.decided()).isNotEqualTo(differs.recorded());
              assertThat(differs.decided().toString()).contains("Exclusion[");
            });
  }

  private static RecordedRun record(long seed) {
    Simulation run = new Simulation(seed, STEPS, EnumSet.noneOf(PlantedBug.class), new Coverage());
    run.run();
    return new RecordedRun(run.store(), new StoreCodec());
  }

  private static Verdict replay(RecordedRun run, CoreSettings settings) {
    return new Replay(run, new StoreCodec(), new SchedulerCore(settings)).fromTheBeginning();
  }

  private static CoreSettings exclusionOf(Duration time) {
    CoreSettings now = CoreSettings.DEFAULT;
    CoreSettings.Blocks blocks = now.blocks();
    return new CoreSettings(
        "-other-exclusion",
        now.drain(),
        now.silence(),
        new CoreSettings.Blocks(
            blocks.longest(),
            blocks.longestOfThrottling(),
            blocks.longestOfTrouble(),
            time,
            blocks.risk(),
            blocks.gate(),
            blocks.doubt(),
            blocks.prices()),
        now.maxTimers(),
        now.maxBackoff(),
        now.audit());
  }
}
