package io.spillway.agent.gate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * Reads a manifest so that nobody can read something else in it: one object, each key once, nothing
 * behind it, of bounded size and depth.
 */
final class StrictJson {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_DEPTH = 64;
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(32)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonParser.Feature.ALLOW_COMMENTS);

  private StrictJson() {}

  static ObjectNode read(byte[] bytes) throws RefusedException {
    if (bytes.length > MAX_BYTES) {
      throw new RefusedException("a manifest of " + bytes.length + " bytes");
    }
    try {
      JsonNode node = JSON.readTree(bytes);
      if (node instanceof ObjectNode object) {
        return object;
      }
      throw new RefusedException("a manifest that is no JSON object");
    } catch (IOException e) {
      throw new RefusedException("a manifest that cannot be read: " + first(e.getMessage()));
    }
  }

  private static String first(String message) {
    int end = message == null ? 0 : message.indexOf('\n');
    return message == null ? "" : end < 0 ? message : message.substring(0, end);
  }
}
