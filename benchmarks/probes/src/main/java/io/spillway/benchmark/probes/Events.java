package io.spillway.benchmark.probes;

import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How many events one thread understands in a second, for each provider that sends any. */
final class Events {
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration MEASURED = Duration.ofSeconds(2);
  private static final int TIMES = 5;
  private static final int BETWEEN_LOOKS = 100;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final EventNormalizer.AccountNames ACCOUNTS =
      (provider, id) -> Optional.of("account-1");

  private Events() {}

  public static void main(String[] args) throws IOException {
    Main.quiet();
    for (Map.Entry<Market, List<String>> kind : samples().entrySet()) {
      EventNormalizer normalizer = kind.getKey().stubbed().provider().normalizer();
      for (String event : kind.getValue()) {
        check(kind.getKey(), normalizer.normalize(event, ACCOUNTS, Instant.now()), event);
      }
      run(normalizer, kind.getValue(), WARM_UP);
      double[] rates = new double[TIMES];
      for (int i = 0; i < TIMES; i++) {
        rates[i] = run(normalizer, kind.getValue(), MEASURED);
      }
      Arrays.sort(rates);
      System.out.printf(
          "  %-44s %,12.0f events/s of one core (%d kinds; worst of %d: %,.0f)%n",
          "events." + kind.getKey().name().toLowerCase(Locale.ROOT),
          rates[TIMES / 2],
          kind.getValue().size(),
          TIMES,
          rates[0]);
    }
  }

  /**
   * Events of equal share, one after the other, each read from its text; in a second of this
   * thread's own time, so that others on the machine do not count.
   */
  private static double run(EventNormalizer normalizer, List<String> events, Duration time) {
    Instant received = Instant.now();
    long from = THREADS.getCurrentThreadCpuTime();
    long end = from + time.toNanos();
    long now = from;
    long understood = 0;
    while (now < end) {
      for (int i = 0; i < BETWEEN_LOOKS; i++) {
        for (String event : events) {
          understood += count(normalizer.normalize(event, ACCOUNTS, received));
        }
      }
      now = THREADS.getCurrentThreadCpuTime();
    }
    return understood / ((now - from) / 1e9);
  }

  private static int count(Normalized read) {
    return read instanceof Several several ? several.parts().size() : 1;
  }

  private static void check(Market market, Normalized read, String event) {
    if (!(read instanceof Notices || read instanceof Failures || read instanceof Several)) {
      throw new IllegalStateException(market + " does not understand " + event + ": " + read);
    }
  }

  /** From a file of sections, whose heading begins with the provider. */
  private static Map<Market, List<String>> samples() throws IOException {
    try (InputStream file = Events.class.getResourceAsStream("/events.txt")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      Map<Market, List<String>> samples = new LinkedHashMap<>();
      String[] sections = text.split("(?m)^=== ");
      for (String section : Arrays.asList(sections).subList(1, sections.length)) {
        String[] parts = section.split("\n", 2);
        Market market = Market.valueOf(parts[0].split(" ")[0].toUpperCase(Locale.ROOT));
        samples.computeIfAbsent(market, m -> new ArrayList<>()).add(parts[1].strip());
      }
      return samples;
    }
  }
}
