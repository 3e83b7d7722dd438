package io.spillway.server.simulation;

import static org.assertj.core.api.Assertions.fail;

import java.util.EnumSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedBugsTest {
  private static final int SEEDS = 200;

  @BeforeAll
  static void listenToNoWarnings() {
    SimulationTest.silence();
  }

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void every_planted_bug_is_found_within_two_hundred_seeds(PlantedBug bug) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        new Simulation(seed, EnumSet.of(bug), new Coverage()).run();
      } catch (AssertionError found) {
        String words = found.getMessage().lines().findFirst().orElse("");
        String brief = words.substring(0, Math.min(words.length(), 110));
        System.out.printf("%s found by %s%n", bug, brief);
        return;
      }
    }
    fail("%s was not found by %d seeds", bug, SEEDS);
  }
}
