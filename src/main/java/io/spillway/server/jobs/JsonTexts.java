package io.spillway.server.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** JSON that is our own: what stands in jsonb columns. */
final class JsonTexts {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonTexts() {}

  static String write(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not JSON: " + value.getClass(), e);
    }
  }

  static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the store holds JSON", e);
    }
  }

  static Map<String, String> map(String json) {
    try {
      return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the store holds a map of texts", e);
    }
  }
}
