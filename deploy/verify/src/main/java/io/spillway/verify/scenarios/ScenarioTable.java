package io.spillway.verify.scenarios;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads {@code docs/scenarios.csv} (RFC 4180, no line breaks in fields), in the order of the file.
 */
final class ScenarioTable {
  private static final List<String> HEADER = List.of("id", "family", "title", "status", "reason");

  private ScenarioTable() {}

  /**
   * @throws IllegalArgumentException naming the line that is wrong
   */
  static List<Scenario> parse(List<String> lines) {
    if (lines.isEmpty() || !fields(lines.getFirst()).equals(HEADER)) {
      throw new IllegalArgumentException("line 1: expected the header " + String.join(",", HEADER));
    }
    List<Scenario> scenarios = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 1; i < lines.size(); i++) {
      try {
        Scenario scenario = scenario(fields(lines.get(i)));
        if (!seen.add(scenario.id())) {
          throw new IllegalArgumentException(scenario.id() + " stands here for the second time");
        }
        scenarios.add(scenario);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException("line " + (i + 1) + ": " + wrong.getMessage(), wrong);
      }
    }
    return List.copyOf(scenarios);
  }

  private static Scenario scenario(List<String> f) {
    if (f.size() != HEADER.size()) {
      throw new IllegalArgumentException(f.size() + " fields instead of " + HEADER.size());
    }
    return new Scenario(
        f.get(0), Family.of(f.get(1)), f.get(2), Scenario.Status.of(f.get(3)), f.get(4));
  }

  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean doubled = quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"';
      if (doubled) {
        field.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("a quote is not closed");
    }
    fields.add(field.toString());
    return List.copyOf(fields);
  }
}
