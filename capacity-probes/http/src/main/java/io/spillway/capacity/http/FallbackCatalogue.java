package io.spillway.capacity.http;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The shapes and list prices that a module ships, with their date. A price from here is only put
 * where the provider told none, lowers the trust to {@link Trust#FALLBACK}, and is named in the
 * observation's source: it is shown, and nothing is placed by it. Immutable.
 *
 * <p>The resource is CSV: {@code # as of 2026-10-04} and {@code # source: …} first, then one line
 * for the columns, {@code instance_type,gpu,gpus,cpus,memory_gib,on_demand_usd_node_hour,
 * spot_usd_node_hour}; an empty price is none, 0 CPUs or memory is not known.
 */
public final class FallbackCatalogue {
  private static final String AS_OF = "# as of ";
  private static final String SOURCE = "# source: ";
  private static final String COLUMNS =
      "instance_type,gpu,gpus,cpus,memory_gib,on_demand_usd_node_hour,spot_usd_node_hour";

  private final LocalDate asOf;
  private final String source;
  private final Map<String, Entry> entries;

  private FallbackCatalogue(LocalDate asOf, String source, Map<String, Entry> entries) {
    this.asOf = asOf;
    this.source = source;
    this.entries = Collections.unmodifiableMap(entries);
  }

  /**
   * Reads a resource beside a class of the module.
   *
   * @throws IllegalStateException if it is not there or not readable: a fault of the build
   */
  public static FallbackCatalogue of(Class<?> module, String resource) {
    try (InputStream in = module.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + resource + " beside " + module);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("resource " + resource + " is not readable", e);
    }
  }

  static FallbackCatalogue parse(String csv) {
    List<String> lines = csv.lines().filter(line -> !line.isBlank()).toList();
    if (lines.size() < 3
        || !lines.get(0).startsWith(AS_OF)
        || !lines.get(1).startsWith(SOURCE)
        || !lines.get(2).equals(COLUMNS)) {
      throw new IllegalStateException("a catalogue begins with its date, source and columns");
    }
    Map<String, Entry> entries = new TreeMap<>();
    for (String line : lines.subList(3, lines.size())) {
      Entry entry = entry(line);
      if (entries.put(entry.instanceType(), entry) != null) {
        throw new IllegalStateException("two lines for " + entry.instanceType());
      }
    }
    return new FallbackCatalogue(
        LocalDate.parse(lines.get(0).substring(AS_OF.length())),
        lines.get(1).substring(SOURCE.length()),
        entries);
  }

  private static Entry entry(String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != 7) {
      throw new IllegalStateException("seven cells a line: " + line);
    }
    return new Entry(
        cells[0],
        new NodeShape(
            new GpuModel(cells[1]),
            Integer.parseInt(cells[2]),
            Integer.parseInt(cells[3]),
            Integer.parseInt(cells[4])),
        price(cells[5]),
        price(cells[6]));
  }

  private static Optional<BigDecimal> price(String cell) {
    return cell.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(cell));
  }

  /** The day on which the figures were read. */
  public LocalDate asOf() {
    return asOf;
  }

  /** Where they were read. */
  public String source() {
    return source;
  }

  /** All lines by instance type. */
  public Map<String, Entry> entries() {
    return entries;
  }

  /** The line of an instance type, if there is one. */
  public Optional<Entry> find(String instanceType) {
    return Optional.ofNullable(entries.get(instanceType));
  }

  /**
   * The observation with the shipped price, and the trust of one, if it has none of its own; else,
   * and when none was shipped, as it is.
   */
  public Observation complete(Observation seen, Prices prices) {
    Optional<Entry> entry = find(seen.key().instanceType());
    Optional<UsdPerGpuHour> shipped =
        entry.flatMap(line -> line.price(seen.key().capacityType(), prices));
    if (seen.price().isPresent() || shipped.isEmpty()) {
      return seen;
    }
    return new Observation(
        seen.key(),
        seen.shape(),
        shipped,
        seen.onDemandPrice().or(() -> entry.flatMap(e -> e.price(CapacityType.ON_DEMAND, prices))),
        seen.availability(),
        Trust.FALLBACK,
        asOf.atStartOfDay(ZoneOffset.UTC).toInstant(),
        seen.observedAt(),
        seen.source() + ", price of catalogue " + asOf);
  }

  /**
   * One line.
   *
   * @param onDemand USD per node-hour by the list
   * @param spot likewise
   */
  public record Entry(
      String instanceType,
      NodeShape shape,
      Optional<BigDecimal> onDemand,
      Optional<BigDecimal> spot) {

    /**
     * The price of that way to buy, discounted; none for reserved capacity, which is a contract.
     */
    public Optional<UsdPerGpuHour> price(CapacityType type, Prices prices) {
      return switch (type) {
        case ON_DEMAND -> onDemand.flatMap(usd -> prices.listNode(usd, shape.gpus()));
        case SPOT -> spot.flatMap(usd -> prices.listNode(usd, shape.gpus()));
        case RESERVED -> Optional.empty();
      };
    }
  }
}
