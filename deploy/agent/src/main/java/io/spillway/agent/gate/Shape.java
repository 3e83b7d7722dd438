package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a place in a manifest may hold. A field that no shape names is refused, so that whatever
 * Kubernetes learns later is refused too until somebody has looked at it.
 */
@FunctionalInterface
interface Shape {
  /**
   * @param path where in the manifest, for people
   */
  void check(String path, JsonNode node) throws RefusedException;

  /** An object with these fields, each optional. */
  static Fields fields() {
    return new Fields(new LinkedHashMap<>(), Set.of());
  }

  /** Fields by name. */
  record Fields(Map<String, Shape> known, Set<String> required) implements Shape {
    Fields may(String name, Shape shape) {
      Map<String, Shape> more = new LinkedHashMap<>(known);
      more.put(name, shape);
      return new Fields(more, required);
    }

    Fields must(String name, Shape shape) {
      Set<String> more = new java.util.LinkedHashSet<>(required);
      more.add(name);
      return new Fields(may(name, shape).known, more);
    }

    @Override
    public void check(String path, JsonNode node) throws RefusedException {
      if (!node.isObject()) {
        throw new RefusedException(path + ", which is no object");
      }
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        Shape shape = known.get(field.getKey());
        String place = path + "." + printable(field.getKey());
        if (shape == null) {
          throw new RefusedException(place + ", which is not allowed");
        }
        shape.check(place, field.getValue());
      }
      for (String name : required) {
        if (!node.has(name)) {
          throw new RefusedException(path + " without " + name);
        }
      }
    }
  }

  /** A list of at most that many. */
  static Shape list(Shape each, int most) {
    return (path, node) -> {
      if (!node.isArray() || node.size() > most) {
        throw new RefusedException(path + ", which is no list of at most " + most);
      }
      for (int i = 0; i < node.size(); i++) {
        each.check(path + "[" + i + "]", node.get(i));
      }
    };
  }

  /** As {@link #list}, and at least one. */
  static Shape some(Shape each, int most) {
    return list(each, most)
        .and(
            (path, node) -> {
              if (node.isEmpty()) {
                throw new RefusedException(path + ", which is empty");
              }
            });
  }

  static Shape text(Predicate<String> allowed, String otherwise) {
    return (path, node) -> {
      if (!node.isTextual() || !allowed.test(node.asText())) {
        throw new RefusedException(path + " = " + printable(node.toString()) + ", " + otherwise);
      }
    };
  }

  static Shape text(int longest) {
    return text(value -> value.length() <= longest, "which is too long");
  }

  static Shape matching(String regex) {
    Pattern pattern = Pattern.compile(regex);
    return text(value -> pattern.matcher(value).matches(), "which is not allowed");
  }

  static Shape oneOf(String... values) {
    Set<String> set = Set.of(values);
    return text(set::contains, "which is not allowed");
  }

  static Shape number(long least, long most) {
    return (path, node) -> {
      if (!node.isIntegralNumber()
          || !node.canConvertToLong()
          || node.asLong() < least
          || node.asLong() > most) {
        throw new RefusedException(
            path + " = " + printable(node.toString()) + ", which is not in " + least + "…" + most);
      }
    };
  }

  static Shape flag() {
    return (path, node) -> {
      if (!node.isBoolean()) {
        throw new RefusedException(path + ", which is neither true nor false");
      }
    };
  }

  /** False, or, where the rule says so, true. */
  static Shape onlyIf(boolean rule) {
    return (path, node) -> {
      if (!node.isBoolean() || (node.asBoolean() && !rule)) {
        throw new RefusedException(path + ", which this cluster does not allow");
      }
    };
  }

  /** A map from texts to what the shape allows. */
  static Shape map(Predicate<String> key, Shape value) {
    return (path, node) -> {
      if (!node.isObject() || node.size() > 256) {
        throw new RefusedException(path + ", which is no map");
      }
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        String place = path + "[" + printable(entry.getKey()) + "]";
        if (!key.test(entry.getKey())) {
          throw new RefusedException(place + ", which is not allowed");
        }
        value.check(place, entry.getValue());
      }
    };
  }

  /** Both must agree. */
  default Shape and(Shape other) {
    return (path, node) -> {
      check(path, node);
      other.check(path, node);
    };
  }

  /** What others wrote, short and without what a terminal would obey. */
  static String printable(String text) {
    String cut = text.length() > 80 ? text.substring(0, 80) + "…" : text;
    return cut.replaceAll("\\p{Cntrl}", " ");
  }
}
