package io.spillway.server.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeMap;

/** Objects as JSON whose keys are sorted at every depth: equal objects are equal byte for byte. */
final class CanonicalJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CanonicalJson() {}

  static String of(Object object) {
    try {
      return JSON.writeValueAsString(sorted(JSON.valueToTree(object)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }

  private static JsonNode sorted(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        TreeMap<String, JsonNode> members = new TreeMap<>();
        object.properties().forEach(entry -> members.put(entry.getKey(), entry.getValue()));
        ObjectNode sorted = JSON.createObjectNode();
        members.forEach(
            (key, value) -> {
              if (!value.isNull()) {
                sorted.set(key, sorted(value));
              }
            });
        yield sorted;
      }
      case ArrayNode array -> {
        ArrayNode sorted = JSON.createArrayNode();
        array.forEach(item -> sorted.add(sorted(item)));
        yield sorted;
      }
      default -> node;
    };
  }
}
