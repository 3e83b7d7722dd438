package io.spillway.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Clusters, pools and accounts as a policy directory describes them, so that the simulated clouds
 * have just what the policies speak of. The server checks the documents; this only reads what it
 * needs.
 */
public final class PolicyFiles {
  private final List<Map<String, Object>> documents = new ArrayList<>();

  /**
   * @throws IOException if a file cannot be read
   */
  public PolicyFiles(Path directory) throws IOException {
    Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(PolicyFiles::isYaml).sorted().toList()) {
        for (Object document : yaml.loadAll(Files.readString(file))) {
          if (document instanceof Map<?, ?> map) {
            documents.add(plain(map));
          }
        }
      }
    }
  }

  private static boolean isYaml(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  private static Map<String, Object> plain(Map<?, ?> map) {
    Map<String, Object> plain = new LinkedHashMap<>();
    map.forEach((key, value) -> plain.put(String.valueOf(key), value));
    return plain;
  }

  /** A provider account that clusters name. */
  public record Account(String name, String provider) {
    /** The id that its events carry: a number for AWS, a compartment for OCI. */
    String id() {
      return switch (provider) {
        case "aws" -> "210987654321";
        case "oci" -> "ocid1.compartment.oc1..spillwaydemo";
        default -> name;
      };
    }
  }

  /**
   * All accounts, by name.
   *
   * @throws IllegalStateException if two providers have accounts of one name: a simulated account
   *     plays one provider
   */
  public List<Account> accounts() {
    Map<String, Account> accounts = new LinkedHashMap<>();
    for (Map<String, Object> cluster : of("Cluster")) {
      Account account = account(spec(cluster));
      Account before = accounts.put(account.name(), account);
      if (before != null && !before.equals(account)) {
        throw new IllegalStateException(
            "account "
                + account.name()
                + " is named for "
                + before.provider()
                + " and for "
                + account.provider());
      }
    }
    return List.copyOf(accounts.values());
  }

  public List<String> clusters() {
    return of("Cluster").stream().map(PolicyFiles::name).toList();
  }

  public List<String> queues() {
    return of("Queue").stream().map(PolicyFiles::name).toList();
  }

  /** The cluster as the simulated clouds want it told. */
  public Map<String, Object> clusterSpec(String name) {
    Map<String, Object> document =
        of("Cluster").stream().filter(c -> name(c).equals(name)).findFirst().orElseThrow();
    Map<String, Object> spec = spec(document);
    Account account = account(spec);
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("name", name);
    told.put(
        "account",
        Map.of("name", account.name(), "provider", account.provider(), "id", account.id()));
    told.put("region", text(spec, "region", ""));
    told.put("capacity", maps(spec.get("capacity")).stream().map(PolicyFiles::entry).toList());
    told.put(
        "pools",
        of("Pool").stream()
            .filter(pool -> text(spec(pool), "cluster", "").equals(name))
            .map(PolicyFiles::pool)
            .toList());
    return told;
  }

  private static Map<String, Object> entry(Map<String, Object> entry) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("instanceType", text(entry, "instanceType", ""));
    told.put("capacityTypes", texts(entry.get("capacityTypes")));
    told.put("zones", texts(entry.get("zones")));
    told.put("maxNodes", number(entry, "maxNodes"));
    told.putAll(fabric(entry));
    return told;
  }

  private static Map<String, Object> pool(Map<String, Object> document) {
    Map<String, Object> pool = spec(document);
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("name", name(document));
    told.put("instanceType", text(pool, "instanceType", ""));
    told.put("zone", text(pool, "zone", ""));
    told.put("capacityType", text(pool, "capacityType", "reserved"));
    told.put("nodes", number(pool, "nodes"));
    told.putAll(fabric(pool));
    return told;
  }

  /**
   * A fabric's name stands under a key of its kind: placementGroup, clusterNetwork, leafGroup or
   * name.
   */
  private static Map<String, Object> fabric(Map<String, Object> holder) {
    Map<String, Object> fabric =
        holder.get("fabric") instanceof Map<?, ?> map ? plain(map) : Map.of();
    String name =
        fabric.entrySet().stream()
            .filter(e -> !e.getKey().equals("type"))
            .map(e -> String.valueOf(e.getValue()))
            .findFirst()
            .orElse("");
    return Map.of("fabricType", text(fabric, "type", ""), "fabricName", name);
  }

  private List<Map<String, Object>> of(String kind) {
    return documents.stream().filter(d -> kind.equals(d.get("kind"))).toList();
  }

  private static Account account(Map<String, Object> spec) {
    String provider = text(spec, "provider", "");
    return new Account(text(spec, "account", provider), provider);
  }

  private static String name(Map<String, Object> document) {
    return document.get("metadata") instanceof Map<?, ?> metadata
        ? String.valueOf(metadata.get("name"))
        : "";
  }

  private static Map<String, Object> spec(Map<String, Object> document) {
    return document.get("spec") instanceof Map<?, ?> spec ? plain(spec) : Map.of();
  }

  private static String text(Map<String, Object> map, String key, String otherwise) {
    return map.containsKey(key) ? String.valueOf(map.get(key)) : otherwise;
  }

  private static int number(Map<String, Object> map, String key) {
    return map.get(key) instanceof Number number ? number.intValue() : 0;
  }

  private static List<String> texts(Object list) {
    return list instanceof List<?> values
        ? new ArrayList<>(values.stream().map(String::valueOf).toList())
        : new ArrayList<>(new TreeSet<>());
  }

  private static List<Map<String, Object>> maps(Object list) {
    List<Map<String, Object>> maps = new ArrayList<>();
    if (list instanceof List<?> values) {
      for (Object value : values) {
        if (value instanceof Map<?, ?> map) {
          maps.add(plain(map));
        }
      }
    }
    return maps;
  }
}
