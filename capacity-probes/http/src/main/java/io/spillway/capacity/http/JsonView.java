package io.spillway.capacity.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of an answer with the way to it. Fields nobody asks for are ignored; a field that is asked
 * for and missing, or of another type, is a {@link MalformedException} naming it. Numbers may be
 * written as strings, as many interfaces do. Immutable, any thread.
 */
public final class JsonView {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_TEXT = 1_000;

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode node;
  private final String path;

  private JsonView(JsonNode node, String path) {
    this.node = node;
    this.path = path;
  }

  /**
   * @param bytes UTF-8, as the answer came
   * @throws MalformedException if that is no JSON
   */
  public static JsonView parse(byte[] bytes) {
    try {
      JsonNode node = JSON.readTree(bytes);
      if (node == null || node.isMissingNode()) {
        throw new MalformedException("the answer is empty");
      }
      return new JsonView(node, "");
    } catch (JsonProcessingException e) {
      throw new MalformedException(
          "the answer is not JSON at line "
              + (e.getLocation() == null ? 0 : e.getLocation().getLineNr())
              + ", column "
              + (e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
    } catch (IOException e) {
      throw new MalformedException("the answer is not readable as JSON");
    }
  }

  /** A document that has been read already, such as an event without its wrappers. */
  public static JsonView of(JsonNode document) {
    return new JsonView(document, "");
  }

  /** Whether the field is there and not null. */
  public boolean has(String field) {
    return node.hasNonNull(field);
  }

  /** The field, which must be an object. */
  public JsonView object(String field) {
    JsonNode value = node.path(field);
    if (!value.isObject()) {
      throw wrong(field, "an object");
    }
    return new JsonView(value, at(field));
  }

  /** The field as an object; empty when it is missing or null. */
  public Optional<JsonView> optionalObject(String field) {
    return has(field) ? Optional.of(object(field)) : Optional.empty();
  }

  /** The elements of the field, which must be an array. */
  public List<JsonView> list(String field) {
    return elements(node.path(field), at(field));
  }

  /** The elements of the field; none when it is missing or null. */
  public List<JsonView> optionalList(String field) {
    return has(field) ? list(field) : List.of();
  }

  /** The elements, if this itself is an array. */
  public List<JsonView> elements() {
    return elements(node, path);
  }

  private static List<JsonView> elements(JsonNode array, String path) {
    if (!array.isArray()) {
      throw new MalformedException(name(path) + " is not a list");
    }
    List<JsonView> elements = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      elements.add(new JsonView(array.get(i), path + '[' + i + ']'));
    }
    return List.copyOf(elements);
  }

  /** The members of this object by their names, in the order of the answer. */
  public Map<String, JsonView> members() {
    if (!node.isObject()) {
      throw new MalformedException(name(path) + " is not an object");
    }
    Map<String, JsonView> members = new LinkedHashMap<>();
    node.properties()
        .forEach(
            entry ->
                members.put(entry.getKey(), new JsonView(entry.getValue(), at(entry.getKey()))));
    return members;
  }

  /** This itself, if it is a string. */
  public String text() {
    return text(node, path);
  }

  /** The field, which must be a string that is not empty, of at most 1,000 characters. */
  public String text(String field) {
    String text = text(node.path(field), at(field));
    if (text.isEmpty()) {
      throw wrong(field, "a text that is not empty");
    }
    return text;
  }

  /** The field as a string; empty when it is missing, null or an empty string. */
  public Optional<String> optionalText(String field) {
    return has(field)
        ? Optional.of(text(node.path(field), at(field))).filter(text -> !text.isEmpty())
        : Optional.empty();
  }

  private static String text(JsonNode value, String path) {
    if (!value.isTextual() || value.textValue().length() > MAX_TEXT) {
      throw new MalformedException(name(path) + " is not a text of at most " + MAX_TEXT);
    }
    return value.textValue();
  }

  /** The field as a whole number that fits an int; {@code "8"} and {@code 8.0} count as 8. */
  public int integer(String field) {
    try {
      return decimal(field).intValueExact();
    } catch (ArithmeticException e) {
      throw wrong(field, "a whole number");
    }
  }

  /** The field as a whole number of that range, ends included. */
  public int integer(String field, int least, int most) {
    int value = integer(field);
    if (value < least || value > most) {
      throw wrong(field, "between " + least + " and " + most);
    }
    return value;
  }

  /** The field as a whole number; empty when it is missing or null. */
  public Optional<Integer> optionalInteger(String field) {
    return has(field) ? Optional.of(integer(field)) : Optional.empty();
  }

  /** The field as a decimal number. */
  public BigDecimal decimal(String field) {
    JsonNode value = node.path(field);
    try {
      if (value.isNumber()) {
        return bounded(value.decimalValue());
      }
      if (value.isTextual() && value.textValue().length() <= 40) {
        return bounded(new BigDecimal(value.textValue().strip()));
      }
    } catch (NumberFormatException e) {
      throw wrong(field, "a number");
    }
    throw wrong(field, "a number");
  }

  /** Nothing that is counted or paid needs more digits; {@code 1e999999999} would take for ever. */
  private static BigDecimal bounded(BigDecimal number) {
    if (Math.abs((long) number.precision() - number.scale()) > 40 || number.scale() > 40) {
      throw new NumberFormatException("too long");
    }
    return number;
  }

  /** The field as a decimal number; empty when it is missing, null or an empty string. */
  public Optional<BigDecimal> optionalDecimal(String field) {
    boolean blank = node.path(field).isTextual() && node.path(field).textValue().isBlank();
    return has(field) && !blank ? Optional.of(decimal(field)) : Optional.empty();
  }

  /** The field as a truth value. */
  public boolean flag(String field) {
    JsonNode value = node.path(field);
    if (!value.isBoolean()) {
      throw wrong(field, "true or false");
    }
    return value.booleanValue();
  }

  /** The field as a truth value; that other one when it is missing or null. */
  public boolean flag(String field, boolean otherwise) {
    return has(field) ? flag(field) : otherwise;
  }

  /** The field as an RFC 3339 instant. */
  public Instant instant(String field) {
    try {
      return OffsetDateTime.parse(text(field)).toInstant();
    } catch (DateTimeException e) {
      throw wrong(field, "a time");
    }
  }

  /** The field as an RFC 3339 instant; empty when it is missing or null. */
  public Optional<Instant> optionalInstant(String field) {
    return has(field) ? Optional.of(instant(field)) : Optional.empty();
  }

  /** Where this is in the answer, for warnings. */
  public String path() {
    return path;
  }

  /** The raw node, for what the accessors do not cover. */
  public JsonNode node() {
    return node;
  }

  private String at(String field) {
    return path.isEmpty() ? field : path + '.' + field;
  }

  private MalformedException wrong(String field, String expected) {
    return new MalformedException(
        name(at(field)) + (node.has(field) ? " is not " : " is missing: ") + expected);
  }

  /** Keys of an answer may be anything, so only the head of a way is told. */
  private static String name(String path) {
    String head = path.length() <= 120 ? path : path.substring(0, 120);
    return path.isEmpty() ? "the answer" : "field '" + head + "'";
  }
}
