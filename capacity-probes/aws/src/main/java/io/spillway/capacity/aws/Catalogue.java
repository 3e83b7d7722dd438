package io.spillway.capacity.aws;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The shipped figures: EC2's shapes with eight GPUs (and their parts) and their list prices, with
 * the day they were true. Only where EC2 or its price list gives no answer. Immutable, any thread.
 */
final class Catalogue {
  private static final Catalogue SHIPPED = read();

  private final Instant asOf;
  private final Map<String, Entry> byType;

  private Catalogue(Instant asOf, Map<String, Entry> byType) {
    this.asOf = asOf;
    this.byType = byType;
  }

  static Catalogue shipped() {
    return SHIPPED;
  }

  /** Midnight of the day of the figures. */
  Instant asOf() {
    return asOf;
  }

  /** The instance types that are observed whether a policy names them or not. */
  Set<String> types() {
    return byType.keySet();
  }

  /** Regions that have a price. */
  List<String> regions() {
    return byType.values().stream()
        .flatMap(entry -> entry.usdPerNodeHour().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  Optional<NodeShape> shape(String instanceType) {
    return Optional.ofNullable(byType.get(instanceType)).map(Entry::shape);
  }

  /** The list price of a whole node, USD for an hour on demand. */
  Optional<BigDecimal> nodeHour(String instanceType, String region) {
    return Optional.ofNullable(byType.get(instanceType))
        .map(entry -> entry.usdPerNodeHour().get(region));
  }

  private static Catalogue read() {
    try (InputStream file =
            Objects.requireNonNull(
                Catalogue.class.getResourceAsStream("catalogue.csv"), "catalogue.csv");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      Map<String, Entry> byType = new TreeMap<>();
      Instant asOf = Instant.EPOCH;
      for (String line : lines.lines().filter(text -> !text.startsWith("#")).toList()) {
        String[] fields = line.split(",", -1);
        if (fields[0].equals("as-of")) {
          asOf = LocalDate.parse(fields[1]).atStartOfDay(ZoneOffset.UTC).toInstant();
        } else {
          byType.put(fields[0], entry(fields));
        }
      }
      return new Catalogue(asOf, byType);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry entry(String[] fields) {
    Map<String, BigDecimal> prices = new HashMap<>();
    for (String priced : fields[5].split(" ")) {
      int equals = priced.indexOf('=');
      if (equals > 0) {
        prices.put(priced.substring(0, equals), new BigDecimal(priced.substring(equals + 1)));
      }
    }
    return new Entry(
        new NodeShape(
            new GpuModel(fields[1]),
            Integer.parseInt(fields[2]),
            Integer.parseInt(fields[3]),
            Integer.parseInt(fields[4])),
        Map.copyOf(prices));
  }

  private record Entry(NodeShape shape, Map<String, BigDecimal> usdPerNodeHour) {}
}
