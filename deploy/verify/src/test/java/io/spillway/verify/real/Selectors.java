package io.spillway.verify.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes a PromQL expression apart into its series selectors and the labels it groups by. Knows as
 * much of the language as the project's own queries use.
 */
final class Selectors {
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
  private static final Pattern SELECTOR =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*+)(\\s*+\\{[^}]*+\\})?+(?!\\s*\\()");
  private static final Set<String> WORDS =
      Set.of("and", "or", "unless", "bool", "offset", "group_left", "group_right", "inf", "nan");

  private Selectors() {}

  /** The selectors with their matchers and without their ranges, in the order of the text. */
  static List<String> of(String expression) {
    String text = GROUPING.matcher(expression).replaceAll(" ").replaceAll("\\[[^]]*]", " ");
    List<String> selectors = new ArrayList<>();
    Matcher matcher = SELECTOR.matcher(text);
    while (matcher.find()) {
      boolean partOfNumber = matcher.start() > 0 && isNumber(text.charAt(matcher.start() - 1));
      if (!partOfNumber && !WORDS.contains(matcher.group(1))) {
        selectors.add(matcher.group().strip());
      }
    }
    return selectors;
  }

  /** The labels of every {@code by}, but the histogram's own. */
  static Set<String> grouped(String expression) {
    Set<String> labels = new TreeSet<>();
    Matcher matcher = GROUPING.matcher(expression);
    while (matcher.find()) {
      for (String label : matcher.group(1).split(",")) {
        if (!label.isBlank()) {
          labels.add(label.strip());
        }
      }
    }
    return labels;
  }

  /** The metric's name, without the suffixes of a histogram's series. */
  static String metric(String selector) {
    String name = selector.replaceFirst("\\s*\\{.*", "");
    return name.replaceFirst("_(bucket|sum|count)$", "");
  }

  private static boolean isNumber(char c) {
    return Character.isDigit(c) || c == '.';
  }
}
