package io.spillway.agent.gate;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the rules from YAML. A key that is absent, or null, is its default; a key that does not
 * exist, and a value of the wrong form, are mistakes: a gate that is misread stands open.
 */
public final class GateFile {
  private static final Set<String> KEYS =
      Set.of(
          "kinds",
          "namespaces",
          "serviceAccounts",
          "registries",
          "allowPrivileged",
          "allowHostPath",
          "allowHostNetwork",
          "maxGpus",
          "priorityClasses",
          "runtimeClasses");

  private final JsonNode root;
  private final List<String> wrong = new ArrayList<>();

  private GateFile(JsonNode root) {
    this.root = root;
  }

  /** Rules, or what is wrong with them: one line each. */
  public record Reading(GateRules rules, List<String> wrong) {}

  public static Reading read(Path file) {
    try {
      return read(Files.readString(file));
    } catch (IOException e) {
      return new Reading(GateRules.DEFAULTS, List.of(file + " cannot be read: " + e.getMessage()));
    }
  }

  static Reading read(String yaml) {
    JsonNode root;
    try {
      YAMLMapper mapper = new YAMLMapper();
      mapper.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
      root = mapper.readTree(yaml);
    } catch (IOException e) {
      return new Reading(GateRules.DEFAULTS, List.of("is no YAML: " + e.getMessage()));
    }
    if (root == null || root.isMissingNode() || root.isNull()) {
      return new Reading(GateRules.DEFAULTS, List.of());
    }
    if (!root.isObject()) {
      return new Reading(GateRules.DEFAULTS, List.of("is no YAML object"));
    }
    GateFile file = new GateFile(root);
    GateRules rules = file.rules();
    return new Reading(rules, List.copyOf(file.wrong));
  }

  private GateRules rules() {
    for (Map.Entry<String, JsonNode> entry : root.properties()) {
      if (!KEYS.contains(entry.getKey())) {
        wrong.add(entry.getKey() + " is no key of the gate");
      }
    }
    GateRules none = GateRules.DEFAULTS;
    List<String> kinds = names("kinds", List.copyOf(none.kinds()));
    for (String kind : kinds) {
      if (!GateRules.ALL_KINDS.contains(kind) && !GateRules.MORE_KINDS.contains(kind)) {
        wrong.add("kinds: the agent does not apply " + kind);
      }
    }
    return new GateRules(
        Set.copyOf(kinds),
        names("namespaces", none.namespaces()),
        names("serviceAccounts", none.serviceAccounts()),
        names("registries", none.registries()),
        flag("allowPrivileged"),
        paths(),
        flag("allowHostNetwork"),
        gpus(none.maxGpus()),
        names("priorityClasses", none.priorityClasses()),
        names("runtimeClasses", none.runtimeClasses()));
  }

  private List<String> names(String key, List<String> otherwise) {
    JsonNode value = root.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    List<String> names = new ArrayList<>();
    if (!value.isArray()) {
      wrong.add(key + " is a list of names");
      return otherwise;
    }
    for (JsonNode name : value) {
      if (!name.isTextual() || name.asText().isBlank()) {
        wrong.add(key + " is a list of names, without " + name);
      } else {
        names.add(name.asText().strip());
      }
    }
    return names;
  }

  private List<String> paths() {
    List<String> paths = names("allowHostPath", List.of());
    for (String path : paths) {
      if (!path.matches("/[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*") || path.contains("..")) {
        wrong.add("allowHostPath: '" + path + "' is no absolute path below /");
      }
    }
    return paths;
  }

  private boolean flag(String key) {
    JsonNode value = root.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      wrong.add(key + " is true or false");
    }
    return value.asBoolean(false);
  }

  private int gpus(int otherwise) {
    JsonNode value = root.path("maxGpus");
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isInt() || value.asInt() < 0) {
      wrong.add("maxGpus is a whole number from 0");
      return otherwise;
    }
    return value.asInt();
  }
}
