package io.spillway.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.server.problem.FieldError;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import java.io.IOException;
import java.util.List;

/** Bytes to a tree, or a refusal that names the place. Safe for use by several threads. */
public final class StrictJson {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_STRING = 1 << 20;
  private static final int MAX_NUMBER = 40;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxStringLength(MAX_STRING)
                          .maxNameLength(1024)
                          .maxNumberLength(MAX_NUMBER)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private StrictJson() {}

  /**
   * Reads one JSON object.
   *
   * @param maxBytes a longer body is refused before it is read
   * @throws Refused BODY_TOO_LARGE, MALFORMED_JSON with line and column, or INVALID_BODY when it is
   *     JSON but no object
   */
  public static ObjectNode object(byte[] body, int maxBytes) {
    JsonNode node = tree(body, maxBytes);
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new Refused(
        ProblemType.INVALID_BODY,
        "expected an object, but the body is " + JsonFields.kind(node),
        List.of(new FieldError("", "must be an object, not " + JsonFields.kind(node))));
  }

  private static JsonNode tree(byte[] body, int maxBytes) {
    if (body.length > maxBytes) {
      throw new Refused(
          ProblemType.BODY_TOO_LARGE,
          "the body has " + body.length + " bytes, at most " + maxBytes + " are taken");
    }
    try {
      JsonNode node = MAPPER.readTree(body);
      if (node == null || node.isMissingNode()) {
        throw new Refused(ProblemType.MALFORMED_JSON, "line 1, column 1: the body is empty");
      }
      return node;
    } catch (StreamConstraintsException e) {
      throw malformed(e, "too deep or too long: " + limit(e));
    } catch (MismatchedInputException e) {
      throw malformed(e, "unexpected content after the JSON value");
    } catch (JsonProcessingException e) {
      throw malformed(e, e.getOriginalMessage());
    } catch (IOException e) {
      throw new Refused(ProblemType.MALFORMED_JSON, "the body is not UTF-8: " + e.getMessage());
    }
  }

  private static String limit(StreamConstraintsException e) {
    String message = e.getOriginalMessage();
    return message.contains("nesting depth")
        ? "nested more than " + MAX_DEPTH + " levels"
        : "a string, name or number is longer than any field takes";
  }

  private static Refused malformed(JsonProcessingException e, String why) {
    JsonLocation at = e.getLocation();
    String place =
        at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
    return new Refused(ProblemType.MALFORMED_JSON, place + firstLine(why));
  }

  /** The parser's words without its own location and without echoing pages of input. */
  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    String line = end < 0 ? text : text.substring(0, end);
    return line.length() > 200 ? line.substring(0, 200) + "…" : line;
  }
}
