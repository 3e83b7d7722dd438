package io.spillway.policies.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ValidationMessage;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.source.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Turns a validator's message into what a person wants to read. */
final class SchemaFinding {
  private static final int LONGEST_SHOWN = 60;

  /** Definitions of {@code common.json} whose failure has a code of its own. */
  private static final Map<String, FindingCode> BY_DEFINITION =
      Map.of(
          "name", FindingCode.BAD_NAME,
          "duration", FindingCode.BAD_DURATION,
          "positiveDuration", FindingCode.BAD_DURATION,
          "price", FindingCode.BAD_PRICE,
          "time", FindingCode.BAD_TIME);

  private SchemaFinding() {}

  static Finding of(Tree node, ValidationMessage message) {
    String location = message.getSchemaLocation().toString();
    JsonNode schema = SchemaTexts.around(location);
    return switch (message.getType()) {
      case "additionalProperties" -> unknownKey(node, message.getProperty(), schema);
      case "required", "dependentRequired" ->
          at(node, FindingCode.MISSING_KEY, "'" + message.getProperty() + "' is missing");
      case "type" -> wrongType(node, location, schema);
      case "enum" -> notOneOf(node, schema.path("enum"));
      case "const" -> at(node, FindingCode.BAD_VALUE, "must be " + schema.path("const"));
      case "propertyNames" -> badKey(node, message);
      case "pattern", "minimum", "maximum", "multipleOf", "exclusiveMinimum", "maxLength" ->
          badValue(node, location, schema);
      default -> at(node, FindingCode.BAD_VALUE, described(schema, message.getError()));
    };
  }

  private static Finding unknownKey(Tree node, String key, JsonNode schema) {
    List<String> known = new ArrayList<>();
    schema.path("properties").fieldNames().forEachRemaining(known::add);
    String hint = DidYouMean.among(known, key);
    String text =
        "unknown key '"
            + shown(key)
            + "'"
            + (hint.isEmpty() ? "; known are " + String.join(", ", known) : hint);
    return atKey(node, key, FindingCode.UNKNOWN_KEY, text);
  }

  private static Finding wrongType(Tree node, String location, JsonNode schema) {
    FindingCode code =
        node instanceof Tree.Scalar
            ? BY_DEFINITION.getOrDefault(definition(location), FindingCode.WRONG_TYPE)
            : FindingCode.WRONG_TYPE;
    String expected = typeText(schema.path("type"));
    String hint = code == FindingCode.WRONG_TYPE ? "" : ": " + schema.path("description").asText();
    return at(node, code, "must be " + expected + ", is " + kindOf(node) + hint);
  }

  private static Finding notOneOf(Tree node, JsonNode choices) {
    List<String> known = new ArrayList<>();
    choices.forEach(choice -> known.add(choice.asText()));
    String text = node instanceof Tree.Scalar scalar ? scalar.text() : kindOf(node);
    return at(
        node,
        FindingCode.BAD_VALUE,
        "must be one of "
            + String.join(", ", known)
            + ", is '"
            + shown(text)
            + "'"
            + DidYouMean.among(known, text));
  }

  private static Finding badKey(Tree node, ValidationMessage message) {
    String key = String.valueOf(message.getProperty());
    return atKey(
        node,
        key,
        FindingCode.BAD_NAME,
        "'" + shown(key) + "' cannot be a key here: 1 to 63 of a-z, 0-9 and -");
  }

  private static Finding badValue(Tree node, String location, JsonNode schema) {
    FindingCode code = BY_DEFINITION.getOrDefault(definition(location), FindingCode.BAD_VALUE);
    String text = node instanceof Tree.Scalar scalar ? scalar.text() : kindOf(node);
    return at(node, code, "'" + shown(text) + "' is not allowed: " + allowed(schema));
  }

  private static String allowed(JsonNode schema) {
    if (schema.has("description")) {
      return schema.path("description").asText();
    }
    if (schema.has("minimum")) {
      return schema.path("minimum").asText() + " to " + schema.path("maximum").asText();
    }
    return "must match " + schema.path("pattern").asText();
  }

  private static String described(JsonNode schema, String otherwise) {
    return schema.has("description") ? schema.path("description").asText() : otherwise;
  }

  private static String definition(String location) {
    int start = location.indexOf("#/$defs/");
    if (start < 0) {
      return "";
    }
    String rest = location.substring(start + "#/$defs/".length());
    int slash = rest.indexOf('/');
    return slash < 0 || rest.indexOf('/', slash + 1) >= 0 ? "" : rest.substring(0, slash);
  }

  private static String typeText(JsonNode type) {
    if (type.isArray()) {
      List<String> types = new ArrayList<>();
      type.forEach(one -> types.add(article(one.asText())));
      return String.join(" or ", types);
    }
    return article(type.asText());
  }

  private static String article(String type) {
    return switch (type) {
      case "object" -> "a mapping";
      case "array" -> "a list";
      case "integer" -> "a whole number";
      case "string" -> "a text";
      case "boolean" -> "true or false";
      default -> "a " + type;
    };
  }

  private static String kindOf(Tree node) {
    return switch (node) {
      case Tree.Mapping ignored -> "a mapping";
      case Tree.Sequence ignored -> "a list";
      case Tree.Scalar scalar ->
          switch (scalar.type()) {
            case TEXT -> "the text '" + shown(scalar.text()) + "'";
            case INTEGER, DECIMAL -> "the number " + scalar.text();
            case BOOLEAN -> scalar.text();
            case NULL -> "empty";
          };
    };
  }

  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "…";
  }

  private static Finding at(Tree node, FindingCode code, String message) {
    return Finding.at(node.place(), node.path(), code, message);
  }

  private static Finding atKey(Tree node, String key, FindingCode code, String message) {
    return node instanceof Tree.Mapping mapping
        ? Finding.at(
            mapping.placeOfKey(key),
            mapping.path().isEmpty() ? key : mapping.path() + '.' + key,
            code,
            message)
        : at(node, code, message);
  }
}
