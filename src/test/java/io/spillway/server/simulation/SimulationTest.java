package io.spillway.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.server.loop.SchedulerLoop;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 1_000);
  private static final int FULL = 1_000;
  private static final int FAULT_FLOOR = 50;
  private static final int TRANSITION_FLOOR = 100;
  private static final Logger LOOP = Logger.getLogger(SchedulerLoop.class.getName());

  @BeforeAll
  static void listenToNoWarnings() {
    silence();
  }

  /** Thousands of commits are lost on purpose here. */
  static void silence() {
    LOOP.setLevel(Level.OFF);
  }

  @Test
  void nothing_is_lost_doubled_or_out_of_order_under_a_thousand_seeds_of_faults() {
    Coverage coverage = new Coverage();
    Long one = Long.getLong("simulation.seed");
    if (one != null) {
      System.setProperty("simulation.trace", "true");
      run(one, coverage);
      return;
    }
    CompletableFuture<Coverage> odd = CompletableFuture.supplyAsync(() -> everySecondFrom(1));
    coverage.add(everySecondFrom(2));
    coverage.add(joined(odd));

    System.out.println(coverage.table());
    if (SEEDS >= FULL) {
      assertThat(thin(coverage)).as("too little was met").isEmpty();
    }
  }

  /** Seeds share nothing, so that two threads may halve the time. */
  private static Coverage everySecondFrom(long first) {
    Coverage coverage = new Coverage();
    for (long seed = first; seed <= SEEDS; seed += 2) {
      run(seed, coverage);
    }
    return coverage;
  }

  private static Coverage joined(CompletableFuture<Coverage> other) {
    try {
      return other.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof AssertionError broken) {
        throw broken;
      }
      throw e;
    }
  }

  private static void run(long seed, Coverage coverage) {
    new Simulation(seed, EnumSet.noneOf(PlantedBug.class), coverage).run();
  }

  private static List<String> thin(Coverage coverage) {
    List<String> thin = new ArrayList<>();
    for (String edge : Coverage.TRANSITIONS) {
      if (coverage.transition(edge) < TRANSITION_FLOOR) {
        thin.add(edge + ": " + coverage.transition(edge));
      }
    }
    for (Fault fault : Fault.values()) {
      for (String state : Coverage.ATTEMPT_STATES) {
        String pair = fault + " x " + state;
        if (coverage.fault(pair) < FAULT_FLOOR) {
          thin.add(pair + ": " + coverage.fault(pair));
        }
      }
    }
    return thin;
  }
}
