package io.spillway.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.policies.schema.DocumentKind;
import io.spillway.policies.schema.SchemaTexts;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;

/** The keys that a kind's schema names, as paths; lists are {@code []}, free keys are left out. */
final class SchemaKeys {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COMMON = "https://spillway.io/schema/v1beta1/common.json";

  private final JsonNode own;
  private final JsonNode common = parsed(COMMON);
  private final Set<String> paths = new TreeSet<>();

  SchemaKeys(DocumentKind kind) {
    this.own = parsed(kind.schemaId());
    collect(own, own, "");
  }

  Set<String> paths() {
    return paths;
  }

  private void collect(JsonNode schema, JsonNode file, String path) {
    if (schema.has("$ref")) {
      String reference = schema.path("$ref").asText();
      JsonNode target = reference.startsWith("#") ? file : common;
      collect(target.at(reference.substring(reference.indexOf('#') + 1)), target, path);
      return;
    }
    schema
        .path("properties")
        .properties()
        .forEach(
            entry -> {
              String below = path.isEmpty() ? entry.getKey() : path + '.' + entry.getKey();
              paths.add(below);
              collect(entry.getValue(), file, below);
            });
    if (schema.has("items")) {
      collect(schema.path("items"), file, path + "[]");
    }
  }

  private static JsonNode parsed(String id) {
    try {
      return JSON.readTree(SchemaTexts.byId().get(id));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
