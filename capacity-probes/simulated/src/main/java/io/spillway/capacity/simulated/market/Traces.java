package io.spillway.capacity.simulated.market;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Recorded availability, one column a zone and one row a tick, in two layouts:
 *
 * <ul>
 *   <li>{@code *_counts.csv} with {@code zone_prices.csv}: how many one-GPU H100 instances of GCP
 *       ({@code a3-highgpu-1g}) could be launched at once; prices are of the eight-GPU machine and
 *       are divided by eight.
 *   <li>{@code availability*.csv} with {@code *_spot_prices.json}: whether one V100 instance of AWS
 *       ({@code p3.2xlarge}) could be launched, with its spot price at every tick. How many more
 *       could have been is not recorded; {@value #NODES_WHEN_AVAILABLE} are taken.
 * </ul>
 *
 * A trace starts at its first row when the market opens and begins again after its last.
 */
public record Traces(List<Zone> zones) {
  /** Nodes of a zone that the second layout calls available. */
  public static final int NODES_WHEN_AVAILABLE = 4;

  /** List price of a p3.2xlarge on demand in 2023, USD per hour (AWS price list). */
  private static final String P3_ON_DEMAND = "3.06";

  private static final BigDecimal GPUS_OF_PRICED_MACHINE = BigDecimal.valueOf(8);

  public Traces {
    zones = List.copyOf(zones);
  }

  /**
   * One recorded zone.
   *
   * @param nodes by tick
   * @param spot price of a GPU-hour by tick; a single element = always the same
   */
  public record Zone(
      Listing listing, List<Instant> ticks, List<Integer> nodes, List<UsdPerGpuHour> spot) {
    Course course(Instant opened) {
      return new TraceCourse(opened, this);
    }
  }

  /**
   * Reads a folder.
   *
   * @throws IOException if it has neither layout; the message names the files looked for
   */
  public static Traces load(Path folder) throws IOException {
    Optional<Path> counts = find(folder, "_counts.csv");
    if (counts.isPresent()) {
      return counted(Table.read(counts.get()), Table.read(folder.resolve("zone_prices.csv")));
    }
    Optional<Path> availability = findPrefix(folder, "availability");
    Optional<Path> prices = find(folder, "_spot_prices.json");
    if (availability.isPresent() && prices.isPresent()) {
      return switched(
          Table.read(availability.get()), new ObjectMapper().readTree(prices.get().toFile()));
    }
    throw new IOException(
        folder
            + " holds no traces: expected *_counts.csv and zone_prices.csv, or availability*.csv and"
            + " *_spot_prices.json");
  }

  private static Traces counted(Table counts, Table prices) throws IOException {
    Map<String, List<String>> priceRows = new TreeMap<>();
    prices.rows().forEach(row -> priceRows.put(row.getFirst(), row));
    NodeShape shape = new NodeShape(new GpuModel("nvidia-h100-80gb"), 1, 26, 234);
    List<Zone> zones = new ArrayList<>();
    for (int column = 1; column < counts.header().size(); column++) {
      String zone = counts.header().get(column);
      List<String> price = priceRows.get(zone);
      if (price == null || price.size() < 4) {
        throw new IOException("zone_prices.csv has no prices for zone " + zone);
      }
      UsdPerGpuHour spot = eighth(price.get(2));
      Listing listing =
          new Listing(
              "gcp",
              price.get(1),
              zone,
              "a3-highgpu-1g",
              shape,
              Optional.of(eighth(price.get(3))),
              Optional.of(spot));
      zones.add(new Zone(listing, counts.ticks(), counts.integers(column, 1), List.of(spot)));
    }
    return new Traces(zones);
  }

  private static Traces switched(Table availability, JsonNode prices) throws IOException {
    NodeShape shape = new NodeShape(new GpuModel("nvidia-v100-16gb"), 1, 8, 61);
    List<Zone> zones = new ArrayList<>();
    for (int column = 1; column < availability.header().size(); column++) {
      String zone = availability.header().get(column);
      JsonNode series = prices.path(zone + "_v100_1");
      if (!series.isArray() || series.isEmpty()) {
        throw new IOException("the spot prices have no series " + zone + "_v100_1");
      }
      List<UsdPerGpuHour> spot = new ArrayList<>(series.size());
      series.forEach(price -> spot.add(price(price.decimalValue())));
      Listing listing =
          new Listing(
              "aws",
              zone.substring(0, zone.length() - 1),
              zone,
              "p3.2xlarge",
              shape,
              Optional.of(UsdPerGpuHour.parse(P3_ON_DEMAND)),
              Optional.of(spot.getFirst()));
      zones.add(
          new Zone(
              listing,
              availability.ticks(),
              availability.integers(column, NODES_WHEN_AVAILABLE),
              List.copyOf(spot)));
    }
    return new Traces(zones);
  }

  private static UsdPerGpuHour eighth(String nodeHour) {
    return price(new BigDecimal(nodeHour).divide(GPUS_OF_PRICED_MACHINE, 6, RoundingMode.HALF_UP));
  }

  private static UsdPerGpuHour price(BigDecimal dollars) {
    return new UsdPerGpuHour(
        dollars.movePointRight(6).setScale(0, RoundingMode.HALF_UP).longValueExact());
  }

  private static Optional<Path> find(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.getFileName().toString().endsWith(suffix)).sorted().findFirst();
    }
  }

  private static Optional<Path> findPrefix(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith(prefix))
          .filter(f -> f.getFileName().toString().endsWith(".csv"))
          .sorted()
          .findFirst();
    }
  }
}
