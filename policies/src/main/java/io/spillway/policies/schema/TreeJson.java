package io.spillway.policies.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.source.Tree;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.TreeMap;

/**
 * A document as JSON: keys sorted, numbers without needless zeros, nothing of the file left. Two
 * files that say the same give the same JSON, whatever their order, format or comments.
 */
public final class TreeJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private TreeJson() {}

  public static JsonNode of(Tree tree) {
    return switch (tree) {
      case Tree.Mapping mapping -> {
        ObjectNode object = NODES.objectNode();
        new TreeMap<>(mapping.members())
            .forEach((key, member) -> object.set(key, of(member.value())));
        yield object;
      }
      case Tree.Sequence sequence -> {
        ArrayNode array = NODES.arrayNode();
        sequence.items().forEach(item -> array.add(of(item)));
        yield array;
      }
      case Tree.Scalar scalar -> of(scalar);
    };
  }

  private static JsonNode of(Tree.Scalar scalar) {
    String text = scalar.text();
    return switch (scalar.type()) {
      case TEXT -> NODES.textNode(text);
      case NULL -> NODES.nullNode();
      case BOOLEAN -> NODES.booleanNode(Boolean.parseBoolean(text));
      case INTEGER -> NODES.numberNode(new BigInteger(unsigned(text)));
      case DECIMAL -> NODES.numberNode(plain(new BigDecimal(unsigned(text))));
    };
  }

  /** Exponents are at most two digits (see ScalarText), so the plain form is short. */
  private static BigDecimal plain(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static String unsigned(String text) {
    return text.startsWith("+") ? text.substring(1) : text;
  }
}
