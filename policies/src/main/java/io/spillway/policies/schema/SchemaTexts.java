package io.spillway.policies.schema;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The schema files of this module. */
public final class SchemaTexts {
  private static final String PREFIX = "https://spillway.io/schema/";
  private static final Map<String, String> TEXTS = load();
  private static final Map<String, JsonNode> NODES = parse();

  private SchemaTexts() {}

  /** The texts by {@code $id}, the shared definitions included. */
  public static Map<String, String> byId() {
    return TEXTS;
  }

  /**
   * The schema around a keyword.
   *
   * @param keyword {@code id#/pointer/to/keyword}
   */
  static JsonNode around(String keyword) {
    int hash = keyword.indexOf('#');
    JsonNode root = NODES.get(keyword.substring(0, Math.max(0, hash)));
    if (root == null) {
      return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }
    JsonPointer pointer = JsonPointer.compile(keyword.substring(hash + 1)).head();
    return pointer == null ? root : root.at(pointer);
  }

  private static Map<String, String> load() {
    List<String> ids =
        new ArrayList<>(Arrays.stream(DocumentKind.values()).map(DocumentKind::schemaId).toList());
    ids.add(PREFIX + "v1beta1/common.json");
    Map<String, String> texts = new TreeMap<>();
    ids.forEach(id -> texts.put(id, text(id.substring(PREFIX.length()))));
    return Collections.unmodifiableMap(texts);
  }

  private static Map<String, JsonNode> parse() {
    ObjectMapper mapper = new ObjectMapper();
    Map<String, JsonNode> nodes = new TreeMap<>();
    TEXTS.forEach(
        (id, text) -> {
          try {
            nodes.put(id, mapper.readTree(text));
          } catch (JsonProcessingException e) {
            throw new IllegalStateException("schema " + id + " is not JSON", e);
          }
        });
    return nodes;
  }

  private static String text(String resource) {
    try (InputStream in = SchemaTexts.class.getResourceAsStream("/schema/" + resource)) {
      if (in == null) {
        throw new IllegalStateException("schema " + resource + " is not in the module");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("schema " + resource, e);
    }
  }
}
