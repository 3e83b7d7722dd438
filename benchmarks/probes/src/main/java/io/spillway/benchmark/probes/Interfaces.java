package io.spillway.benchmark.probes;

import io.spillway.capacity.testkit.StubCloud;
import io.spillway.capacity.testkit.StubbedProvider;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A process with the interfaces of all providers. Prints a line with name and address for each,
 * then {@code ready}; ends when its input ends.
 */
final class Interfaces {
  private Interfaces() {}

  @SuppressWarnings("FutureReturnValueIgnored")
  public static void main(String[] args) throws IOException {
    Main.quiet();
    StubCloud.clock(Instant.now());
    for (Market market : Market.values()) {
      StubbedProvider stubbed = market.stubbed();
      System.out.println(market.name() + " " + stubbed.serve(market.home(), market.regions()));
    }
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    // Their Date header tells the time, as those of providers do.
    clock.scheduleAtFixedRate(() -> StubCloud.clock(Instant.now()), 1, 1, TimeUnit.SECONDS);
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Nothing is asked of it this way.
    }
    System.exit(0);
  }
}
