package io.spillway.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.scheduler.model.EditDistance;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One JSON object, read field by field. A field of the wrong type or out of its bounds becomes a
 * fault and reads as absent; {@code null} is absent. {@link #end()} reports what nobody asked for.
 */
public final class JsonFields {
  private final String path;
  private final ObjectNode node;
  private final Faults faults;
  private final Set<String> known = new TreeSet<>();

  public JsonFields(String path, ObjectNode node, Faults faults) {
    this.path = path;
    this.node = node;
    this.faults = faults;
  }

  public Faults faults() {
    return faults;
  }

  /** The full path of a field of this object; an empty name is the object itself. */
  public String at(String name) {
    return path.isEmpty() || name.isEmpty() ? path + name : path + "." + name;
  }

  /** Adds a fault about a field of this object. */
  public void fault(String name, String message) {
    faults.add(at(name), message);
  }

  public boolean has(String name) {
    return value(name).isPresent();
  }

  /** The raw value, whatever its type. */
  public Optional<JsonNode> value(String name) {
    known.add(name);
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? Optional.empty() : Optional.of(value);
  }

  /** Text of at most {@code max} characters. */
  public Optional<String> text(String name, int max) {
    return value(name).flatMap(value -> text(at(name), value, max));
  }

  /** As {@link #text}, and absence is a fault. */
  public Optional<String> requiredText(String name, int max) {
    if (!has(name)) {
      fault(name, "is required");
    }
    return text(name, max);
  }

  /** Text that a parser turns into a value; its {@link IllegalArgumentException} is the fault. */
  public <T> Optional<T> parsed(String name, int max, Function<String, T> parser) {
    return text(name, max).flatMap(text -> parse(at(name), text, parser));
  }

  public OptionalInt count(String name, int min, int max) {
    Optional<JsonNode> value = value(name);
    if (value.isEmpty()) {
      return OptionalInt.empty();
    }
    JsonNode number = value.get();
    if (!number.isIntegralNumber()) {
      fault(name, "must be a whole number, not " + kind(number));
      return OptionalInt.empty();
    }
    if (!number.canConvertToInt() || number.intValue() < min || number.intValue() > max) {
      fault(name, "must be from " + min + " to " + max);
      return OptionalInt.empty();
    }
    return OptionalInt.of(number.intValue());
  }

  /** A decimal amount, written as a number or as text. */
  public Optional<String> amount(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && value.get().isNumber()) {
      BigDecimal number = value.get().decimalValue();
      if (Math.abs((long) number.scale()) > 40) {
        fault(name, "is out of range");
        return Optional.empty();
      }
      return Optional.of(number.toPlainString());
    }
    return text(name, 40);
  }

  public Optional<Boolean> flag(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isBoolean()) {
      fault(name, "must be true or false, not " + kind(value.get()));
      return Optional.empty();
    }
    return value.map(JsonNode::booleanValue);
  }

  public Optional<JsonFields> object(String name) {
    return value(name).flatMap(value -> object(at(name), value));
  }

  /** A list of texts, each turned into a value. */
  public <T> List<T> list(String name, int maxItems, int maxText, Function<String, T> parser) {
    List<T> items = new ArrayList<>();
    for (Item item : items(name, maxItems)) {
      text(item.path(), item.value(), maxText)
          .flatMap(text -> parse(item.path(), text, parser))
          .ifPresent(items::add);
    }
    return items;
  }

  /** A list of objects. */
  public List<JsonFields> objects(String name, int maxItems) {
    List<JsonFields> objects = new ArrayList<>();
    for (Item item : items(name, maxItems)) {
      object(item.path(), item.value()).ifPresent(objects::add);
    }
    return objects;
  }

  /** An object whose members are all texts, by name. */
  public Map<String, String> texts(String name, int maxEntries, int maxText) {
    Map<String, String> texts = new TreeMap<>();
    Optional<JsonFields> members = object(name);
    if (members.isEmpty()) {
      return texts;
    }
    ObjectNode object = members.get().node;
    if (object.size() > maxEntries) {
      fault(name, "has " + object.size() + " entries, at most " + maxEntries + " are taken");
      return texts;
    }
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String place = at(name) + "." + shown(entry.getKey());
      text(place, entry.getValue(), maxText).ifPresent(text -> texts.put(entry.getKey(), text));
    }
    return texts;
  }

  /** Reports every field that was not asked for, with the nearest known name. */
  public void end() {
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        faults.add(at(shown(name)), "is not a field here" + nearest(name));
      }
    }
  }

  /** What a JSON value is, in words. */
  public static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      case STRING -> "text";
      case NUMBER -> value.isIntegralNumber() ? "a number" : "a number with decimals";
      case BOOLEAN -> "true or false";
      case NULL -> "null";
      default -> "something else";
    };
  }

  private record Item(String path, JsonNode value) {}

  private List<Item> items(String name, int maxItems) {
    Optional<JsonNode> value = value(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!value.get().isArray()) {
      fault(name, "must be a list, not " + kind(value.get()));
      return List.of();
    }
    if (value.get().size() > maxItems) {
      fault(name, "has " + value.get().size() + " items, at most " + maxItems + " are taken");
      return List.of();
    }
    List<Item> items = new ArrayList<>();
    for (JsonNode item : value.get()) {
      items.add(new Item(at(name) + "[" + items.size() + "]", item));
    }
    return items;
  }

  private Optional<JsonFields> object(String place, JsonNode value) {
    if (value instanceof ObjectNode object) {
      return Optional.of(new JsonFields(place, object, faults));
    }
    faults.add(place, "must be an object, not " + kind(value));
    return Optional.empty();
  }

  private Optional<String> text(String place, JsonNode value, int max) {
    if (!value.isTextual()) {
      faults.add(place, "must be text, not " + kind(value));
      return Optional.empty();
    }
    String text = value.textValue();
    if (text.length() > max) {
      faults.add(place, "has " + text.length() + " characters, at most " + max + " are taken");
      return Optional.empty();
    }
    if (!Texts.isStorable(text)) {
      faults.add(place, "holds a NUL character or half of a surrogate pair");
      return Optional.empty();
    }
    return Optional.of(text);
  }

  private <T> Optional<T> parse(String place, String text, Function<String, T> parser) {
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException e) {
      faults.add(place, e.getMessage());
      return Optional.empty();
    }
  }

  private String nearest(String name) {
    if (name.length() > 40) {
      return "";
    }
    return known.stream()
        .filter(candidate -> EditDistance.between(candidate, name) <= 3)
        .min(
            Comparator.<String>comparingInt(candidate -> EditDistance.between(candidate, name))
                .thenComparingInt(candidate -> Math.abs(candidate.length() - name.length())))
        .map(candidate -> "; did you mean " + candidate + "?")
        .orElse("");
  }

  private static String shown(String name) {
    return Texts.printable(name, 60);
  }
}
