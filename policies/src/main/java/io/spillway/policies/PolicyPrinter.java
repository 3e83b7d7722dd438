package io.spillway.policies;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.source.ScalarText;
import io.spillway.policies.source.Tree.ScalarType;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Documents as YAML in their canonical form: what {@link PolicyCompiler} reads from it has the same
 * version. A small emitter of its own, because a text must come back as a text under YAML 1.1 and
 * 1.2 alike, and a price with the digits it had.
 */
public final class PolicyPrinter {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

  /** What some reader of YAML 1.1 would take for a truth value. */
  private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off");

  private PolicyPrinter() {}

  /** The documents, separated by {@code ---}. */
  public static String yaml(List<PolicyDocument> documents) {
    return documents.stream()
        .map(
            document -> {
              StringBuilder out = new StringBuilder();
              block(document.json(), 0, out);
              return out.toString();
            })
        .collect(Collectors.joining("---\n"));
  }

  private static void block(JsonNode node, int indent, StringBuilder out) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              entry -> {
                out.repeat(' ', indent).append(scalar(entry.getKey())).append(':');
                value(entry.getValue(), indent + 2, out);
              });
    } else {
      node.forEach(
          item -> {
            out.repeat(' ', indent).append('-');
            value(item, indent + 2, out);
          });
    }
  }

  private static void value(JsonNode node, int indent, StringBuilder out) {
    if (node.isContainerNode() && !node.isEmpty()) {
      out.append('\n');
      block(node, indent, out);
    } else if (node.isContainerNode()) {
      out.append(node.isObject() ? " {}\n" : " []\n");
    } else {
      out.append(' ')
          .append(node.isTextual() ? scalar(node.textValue()) : node.asText())
          .append('\n');
    }
  }

  private static String scalar(String text) {
    boolean plain =
        PLAIN.matcher(text).matches()
            && ScalarText.typeOf(text) == ScalarType.TEXT
            && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    return plain ? text : quoted(text);
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
              } else if (c >= ' ' && c <= '~') {
                out.append((char) c);
              } else {
                out.append("\\u%04x".formatted(c));
              }
            });
    return out.append('"').toString();
  }
}
