package io.spillway.benchmark.probes;

import com.sun.management.OperatingSystemMXBean;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.testkit.StubbedProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks every account of every provider at its interval, as the server's runner does: a timer starts
 * questions, each on a virtual thread, and counts the interval from the begin of the last one.
 * Prints what the whole process took of the machine after everything was asked once.
 */
final class Rounds {
  private static final int ACCOUNTS = 3;
  private static final int WARM_UP = 8;
  private static final Duration STAGGER = Duration.ofMillis(50);

  private final Duration interval;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("timer").unstarted(task));
  private final List<Asked> accounts = new ArrayList<>();
  private final LongAdder rounds = new LongAdder();
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();
  private final Map<String, String> troubles = new ConcurrentHashMap<>();

  /** What an account's last good round brought. */
  private record Seen(int observations, int regions) {
    static Seen of(CapacityProbe.Result result) {
      return new Seen(
          result.observations().size(),
          (int) result.observations().stream().map(o -> o.key().region()).distinct().count());
    }
  }

  /** One account and what it is asked for. */
  private record Asked(String name, CapacityProbe probe, Set<String> interest) {}

  private Rounds(Duration interval) {
    this.interval = interval;
  }

  /** Arguments: seconds between questions, intervals to measure, then PROVIDER address pairs. */
  public static void main(String[] args) throws InterruptedException, IOException {
    Main.quiet();
    Rounds rounds = new Rounds(Duration.ofSeconds(Long.parseLong(args[0])));
    for (int i = 2; i < args.length; i += 2) {
      rounds.add(Market.valueOf(args[i]), URI.create(args[i + 1]));
    }
    rounds.measure(Integer.parseInt(args[1]));
    System.exit(rounds.troubles.isEmpty() ? 0 : 1);
  }

  private void add(Market market, URI there) {
    StubbedProvider stubbed = market.stubbed();
    for (int i = 1; i <= ACCOUNTS; i++) {
      AccountSettings account = stubbed.account(there, "account-" + i, market.regions());
      accounts.add(
          new Asked(
              market + "/" + account.name(),
              stubbed.provider().probe(account),
              stubbed.interest()));
    }
  }

  private void measure(int intervals) throws InterruptedException, IOException {
    for (int i = 0; i < accounts.size(); i++) {
      later(accounts.get(i), STAGGER.multipliedBy(i));
    }
    // What is read once a day or an hour, and most of the compiler's work, is over by then: Azure
    // reads the long lists of six regions a round.
    Thread.sleep(interval.multipliedBy(WARM_UP));
    System.gc();
    long cpu = cpu();
    long from = System.nanoTime();
    long before = rounds.sum();
    Thread.sleep(interval.multipliedBy(intervals));
    double seconds = (System.nanoTime() - from) / 1e9;
    double busy = (cpu() - cpu) / 1e9;
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    print("probes.accounts", accounts.size(), "");
    print("probes.rounds", (double) (rounds.sum() - before), "");
    print(
        "probes.observations_per_interval",
        seen.values().stream().mapToInt(Seen::observations).sum(),
        "");
    print("probes.cpu", 100 * busy / seconds, "% of a core");
    print("probes.threads", ManagementFactory.getThreadMXBean().getThreadCount(), "");
    print("probes.heap_after_collection", heap / 1048576.0, "MiB");
    print("probes.resident", resident(), "MiB");
    new TreeMap<>(seen)
        .forEach(
            (name, last) -> {
              if (name.endsWith("-1")) {
                System.out.printf(
                    "  %-44s %,12d observations in %d regions%n",
                    name, last.observations(), last.regions());
              }
            });
    new TreeMap<>(troubles).forEach((name, why) -> System.out.println("  " + name + ": " + why));
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private void later(Asked account, Duration delay) {
    timer.schedule(
        () -> Thread.ofVirtual().start(() -> ask(account)),
        delay.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  // One account's fault is told at the end; the others go on.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void ask(Asked account) {
    Instant begun = Instant.now();
    account
        .probe()
        .observe(account.interest(), begun)
        .whenComplete(
            (result, failure) -> {
              if (failure != null) {
                troubles.put(account.name(), String.valueOf(failure.getMessage()));
              } else {
                rounds.increment();
                seen.put(account.name(), Seen.of(result));
                if (!result.warnings().isEmpty()) {
                  troubles.put(
                      account.name(),
                      result.warnings().size() + " warnings: " + result.warnings().getFirst());
                }
              }
              Duration took = Duration.between(begun, Instant.now());
              Duration rest = interval.minus(took);
              later(account, rest.isNegative() ? Duration.ZERO : rest);
            });
  }

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Where the kernel tells it. */
  private static double resident() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return Double.NaN;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static void print(String name, double value, String unit) {
    System.out.printf("  %-44s %,12.1f %s%n", name, value, unit);
  }
}
