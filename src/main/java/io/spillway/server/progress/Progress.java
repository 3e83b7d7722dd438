package io.spillway.server.progress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.json.Texts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How far a job says it is. Every part may be missing: that it says anything is a sign of life.
 *
 * @param fraction done share, from 0 to 1, at most six decimals
 * @param step counted by the job, from 0
 * @param steps how many there will be, from 1
 * @param message at most {@value #MAX_MESSAGE} characters
 * @param values numbers by name, at most {@value #MAX_VALUES}: a loss, tokens a second
 */
public record Progress(
    Optional<BigDecimal> fraction,
    OptionalInt step,
    OptionalInt steps,
    Optional<String> message,
    Map<String, BigDecimal> values) {
  public static final int MAX_BYTES = 4_096;
  private static final int MAX_MESSAGE = 200;
  private static final int MAX_VALUES = 32;
  private static final int MAX_NAME = 63;
  private static final int DECIMALS = 6;
  private static final int MAX_SCALE = 40;

  public Progress {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /**
   * Reads a report. What is wrong with a part becomes a fault, and that part reads as missing.
   *
   * @param fields of the whole report; the caller decides what becomes of unknown ones
   */
  public static Progress read(JsonFields fields) {
    Optional<BigDecimal> said = fraction(fields);
    OptionalInt step = fields.count("step", 0, Integer.MAX_VALUE);
    OptionalInt steps = fields.count("steps", 1, Integer.MAX_VALUE);
    Optional<String> message = fields.text("message", MAX_MESSAGE).map(Progress::oneLine);
    return new Progress(
        said.or(() -> share(step, steps)), step, steps, message, values(fields, "values"));
  }

  /** The same from a job's own file: whatever is not understood is left out. */
  public static Progress lenient(ObjectNode json) {
    return read(new JsonFields("", json, new Faults()));
  }

  /** As it is stored; {@link #lenient} reads it. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    fraction.ifPresent(share -> json.put("fraction", share));
    step.ifPresent(number -> json.put("step", number));
    steps.ifPresent(number -> json.put("steps", number));
    message.ifPresent(text -> json.put("message", text));
    if (!values.isEmpty()) {
      values.forEach(json.putObject("values")::put);
    }
    return json;
  }

  private static Optional<BigDecimal> fraction(JsonFields fields) {
    Optional<BigDecimal> number =
        fields.value("fraction").flatMap(value -> number(fields, "fraction", value));
    boolean fits =
        number
            .map(share -> share.signum() >= 0 && share.compareTo(BigDecimal.ONE) <= 0)
            .orElse(true);
    if (!fits) {
      fields.fault("fraction", "must be from 0 to 1");
      return Optional.empty();
    }
    return number.map(share -> plain(share.setScale(DECIMALS, RoundingMode.DOWN)));
  }

  private static Optional<BigDecimal> share(OptionalInt step, OptionalInt steps) {
    if (step.isEmpty() || steps.isEmpty() || step.getAsInt() > steps.getAsInt()) {
      return Optional.empty();
    }
    return Optional.of(
        plain(
            new BigDecimal(step.getAsInt())
                .divide(new BigDecimal(steps.getAsInt()), DECIMALS, RoundingMode.DOWN)));
  }

  private static Map<String, BigDecimal> values(JsonFields fields, String name) {
    Map<String, BigDecimal> values = new TreeMap<>();
    Optional<JsonNode> said = fields.value(name);
    if (said.isPresent() && !(said.get() instanceof ObjectNode)) {
      fields.fault(name, "must be an object, not " + JsonFields.kind(said.get()));
    } else if (said.isPresent() && said.get().size() > MAX_VALUES) {
      fields.fault(name, "has " + said.get().size() + " entries, at most " + MAX_VALUES);
    } else if (said.isPresent()) {
      for (Map.Entry<String, JsonNode> entry : said.get().properties()) {
        String key = entry.getKey();
        String place = name + "." + Texts.printable(key, MAX_NAME);
        if (key.isEmpty() || key.length() > MAX_NAME || !Texts.isStorable(key)) {
          fields.fault(place, "is no name of 1 to " + MAX_NAME + " characters");
        } else {
          number(fields, place, entry.getValue()).ifPresent(value -> values.put(key, value));
        }
      }
    }
    return values;
  }

  private static Optional<BigDecimal> number(JsonFields fields, String place, JsonNode value) {
    if (!value.isNumber()) {
      fields.fault(place, "must be a number, not " + JsonFields.kind(value));
      return Optional.empty();
    }
    BigDecimal number = value.decimalValue();
    if (Math.abs((long) number.scale()) > MAX_SCALE || number.precision() > MAX_SCALE) {
      fields.fault(place, "is out of range");
      return Optional.empty();
    }
    return Optional.of(number);
  }

  private static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", " ").strip();
  }
}
