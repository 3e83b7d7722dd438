package io.spillway.verify.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The objects that a chart became. */
record Rendered(List<JsonNode> objects) {

  static Rendered of(String manifest) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (MappingIterator<JsonNode> documents =
        Chart.YAML.readerFor(JsonNode.class).readValues(manifest)) {
      while (documents.hasNext()) {
        JsonNode document = documents.next();
        if (document.isObject()) {
          objects.add(document);
        }
      }
    }
    return new Rendered(List.copyOf(objects));
  }

  List<JsonNode> kinds(String kind, String... others) {
    List<String> wanted = Stream.concat(Stream.of(kind), Stream.of(others)).toList();
    return objects.stream().filter(o -> wanted.contains(o.path("kind").asText())).toList();
  }

  JsonNode one(String kind, String name) {
    List<JsonNode> found =
        kinds(kind).stream().filter(o -> o.at("/metadata/name").asText().equals(name)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " objects are " + kind + ' ' + name);
    }
    return found.getFirst();
  }

  /** Kind and name, for messages. */
  static String title(JsonNode object) {
    return object.path("kind").asText() + ' ' + object.at("/metadata/name").asText();
  }

  static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(Spliterators.spliterator(array.iterator(), array.size(), 0), false);
  }

  static List<String> texts(JsonNode array) {
    return each(array).map(JsonNode::asText).toList();
  }
}
