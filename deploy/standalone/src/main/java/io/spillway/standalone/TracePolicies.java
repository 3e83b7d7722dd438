package io.spillway.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Policies for a replay: a cluster in every region of the recorded zones, a small reserved pool in
 * the first, and one queue that goes to spot, then to the pool, then on demand.
 *
 * @param layout which machines were recorded
 * @param zones of the record
 */
record TracePolicies(Layout layout, List<String> zones) {
  private static final int NODES_OF_CLUSTER = 32;
  private static final int NODES_OF_POOL = 8;

  /** What a folder recorded; the simulated clouds read the same two layouts. */
  enum Layout {
    /** One H100 of GCP, counted. */
    COUNTED("gcp", "a3-highgpu-1g", "nvidia-h100-80gb", "10.98", "5.00"),
    /** One V100 of AWS, there or not. */
    SWITCHED("aws", "p3.2xlarge", "nvidia-v100-16gb", "3.06", "3.00");

    private final String provider;
    private final String instanceType;
    private final String gpu;
    private final String poolPrice;
    private final String spotLimit;

    Layout(String provider, String instanceType, String gpu, String poolPrice, String spotLimit) {
      this.provider = provider;
      this.instanceType = instanceType;
      this.gpu = gpu;
      this.poolPrice = poolPrice;
      this.spotLimit = spotLimit;
    }

    String region(String zone) {
      return this == COUNTED
          ? zone.substring(0, zone.lastIndexOf('-'))
          : zone.substring(0, zone.length() - 1);
    }
  }

  /**
   * Looks into the folder.
   *
   * @throws IOException if it has neither layout
   */
  static TracePolicies of(Path folder) throws IOException {
    try (Stream<Path> listed = Files.list(folder)) {
      for (Path file : listed.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith("_counts.csv")) {
          return new TracePolicies(Layout.COUNTED, zones(file));
        }
        if (name.startsWith("availability") && name.endsWith(".csv")) {
          return new TracePolicies(Layout.SWITCHED, zones(file));
        }
      }
    }
    throw new IOException(folder + " holds no traces: no *_counts.csv and no availability*.csv");
  }

  private static List<String> zones(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      List<String> header = List.of(lines.findFirst().orElse("").split(","));
      return header.subList(1, header.size());
    }
  }

  ExampleJobs jobs() {
    return new ExampleJobs("research", layout.gpu, 1, false);
  }

  /** Writes the documents into the directory. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Map<String, String> regions = new LinkedHashMap<>();
    zones.forEach(
        zone -> regions.merge(layout.region(zone), zone, (before, more) -> before + ", " + more));
    StringBuilder text = new StringBuilder(4_096);
    regions.forEach((region, inRegion) -> text.append(cluster(region, inRegion)));
    String first = layout.region(zones.getFirst());
    text.append(pool(first)).append(queue());
    Files.writeString(directory.resolve("replay.yaml"), text);
  }

  private String cluster(String region, String inRegion) {
    return """
    apiVersion: spillway.io/v1beta1
    kind: Cluster
    metadata: {name: %s-%s}
    spec:
      provider: %s
      account: %s-traces
      region: %s
      capacity:
        - instanceType: %s
          capacityTypes: [spot, on-demand]
          zones: [%s]
          maxNodes: %d
          launchDeadline: 5m
    ---
    """
        .formatted(
            layout.provider,
            region,
            layout.provider,
            layout.provider,
            region,
            layout.instanceType,
            inRegion,
            NODES_OF_CLUSTER);
  }

  private String pool(String region) {
    return """
    apiVersion: spillway.io/v1beta1
    kind: Pool
    metadata: {name: reserved}
    spec:
      cluster: %s-%s
      instanceType: %s
      zone: %s
      capacityType: reserved
      reservationId: replay
      nodes: %d
      pricePerNodeHour: %s
      accounting: Sunk
      launchDeadline: 5m
    ---
    """
        .formatted(
            layout.provider,
            region,
            layout.instanceType,
            zones.getFirst(),
            NODES_OF_POOL,
            layout.poolPrice);
  }

  private String queue() {
    return """
    apiVersion: spillway.io/v1beta1
    kind: Queue
    metadata: {name: research}
    spec:
      priorityClasses: {default: normal, allowed: [low, normal, urgent]}
      placement:
        ladder:
          - name: cheap-spot
            capacityTypes: [spot]
            maxPricePerGpuHour: %s
            until: {waited: 2m, interruptions: 1, refusals: 3, exhausted: 20s}
          - {name: reserved, pools: [reserved]}
          - {name: last-resort, capacityTypes: [on-demand], maxPricePerGpuHour: 15.00}
        idleSunk: InOrder
      preemption: {withinQueue: Never}
      retry: {userFailures: 2, infrastructureFailures: 20, backoff: 10s}
    """
        .formatted(layout.spotLimit);
  }
}
