package io.spillway.policies;

import io.spillway.policies.source.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A valid set drawn by a seed: names that look like other types, odd prices, texts of any script.
 */
final class RandomSet {
  private static final List<String> NAMES =
      List.of(
          "a",
          "yes",
          "no",
          "on",
          "null",
          "true",
          "7",
          "1e5",
          "0x10",
          "08",
          "1-2",
          "n",
          "x".repeat(63));
  private static final List<String> TEXTS =
      List.of(
          "", "yes", "1.50", "~", "null", "# no", "a: b", "- x", "\\n", "\"q\"", "'", "ünï", "日本",
          "🚀", "{", "%", "@");

  private final Random random;
  private final List<String> clusters = new ArrayList<>();
  private final List<String> pools = new ArrayList<>();

  RandomSet(long seed) {
    this.random = new Random(seed);
  }

  List<SourceFile> files() {
    List<SourceFile> files = new ArrayList<>();
    names(3).forEach(name -> files.add(file("cluster", name, cluster(name))));
    names(3).forEach(name -> files.add(file("pool", name, pool(name))));
    names(4).forEach(name -> files.add(file("queue", name, queue(name))));
    return files;
  }

  private static SourceFile file(String kind, String name, String text) {
    return new SourceFile(kind + "-" + name + ".yaml", text);
  }

  private String head(String kind, String name) {
    return "apiVersion: spillway.io/v1beta1\nkind: %s\nmetadata: {name: \"%s\"}\nspec:\n"
        .formatted(kind, name);
  }

  private String cluster(String name) {
    clusters.add(name);
    return head("Cluster", name)
        + "  provider: aws\n  region: us-east-2\n  capacity:\n"
        + IntStream.range(0, 1 + random.nextInt(3))
            .mapToObj(
                i ->
                    "    - {instanceType: p%d.48xlarge, capacityTypes: [spot, on-demand], zones: [use2-az%d], maxNodes: %d}\n"
                        .formatted(i, 1 + random.nextInt(3), 1 + random.nextInt(1000)))
            .collect(Collectors.joining())
        + "  identities: {a: {serviceAccount: a, annotations: {k: %s}}}\n"
            .formatted(quoted(pick(TEXTS)));
  }

  private String pool(String name) {
    pools.add(name);
    return head("Pool", name)
        + "  cluster: \"%s\"\n  instanceType: p5.48xlarge\n  zone: use2-az1\n  nodes: %d\n  pricePerNodeHour: %s\n"
            .formatted(pick(clusters), 1 + random.nextInt(64), price());
  }

  private String queue(String name) {
    int rungs = 1 + random.nextInt(4);
    return head("Queue", name)
        + "  retry: {userFailures: %d, backoff: %s}\n".formatted(random.nextInt(9), duration())
        + "  placement:\n    ladder:\n"
        + IntStream.range(0, rungs)
            .mapToObj(i -> "      - " + rung("r" + i) + "\n")
            .collect(Collectors.joining());
  }

  private String rung(String name) {
    String pool = random.nextBoolean() ? ", pools: [\"%s\"]".formatted(pick(pools)) : "";
    String price = random.nextBoolean() ? ", maxPricePerGpuHour: " + price() : "";
    String until =
        random.nextBoolean()
            ? ", until: {waited: %s, refusals: %d}".formatted(duration(), 1 + random.nextInt(5))
            : "";
    return "{name: " + name + pool + price + until + "}";
  }

  private String duration() {
    return (1 + random.nextInt(999)) + pick(List.of("s", "m", "h", "d"));
  }

  private String price() {
    String digits = random.nextInt(1000) + pick(List.of("", ".5", ".50", ".1234", ".0001", ".0"));
    return random.nextBoolean() ? digits : '"' + digits + '"';
  }

  private List<String> names(int most) {
    List<String> shuffled = new ArrayList<>(NAMES);
    java.util.Collections.shuffle(shuffled, random);
    return shuffled.subList(0, 1 + random.nextInt(most));
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
