package io.spillway.policies.source;

import io.spillway.policies.source.Tree.ScalarType;
import java.util.regex.Pattern;

/**
 * The type of an unquoted scalar. Narrower than YAML's: numbers have at most 32 characters and an
 * exponent at most two digits, so that no short text can stand for a huge number.
 */
public final class ScalarText {
  private static final int MAX_NUMBER_LENGTH = 32;
  private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]{1,2})?");

  private ScalarText() {}

  /** What an unquoted scalar of that text is. */
  public static ScalarType typeOf(String text) {
    return switch (text) {
      case "", "~", "null", "Null", "NULL" -> ScalarType.NULL;
      case "true", "True", "TRUE", "false", "False", "FALSE" -> ScalarType.BOOLEAN;
      default -> numberOrText(text);
    };
  }

  private static ScalarType numberOrText(String text) {
    if (text.length() > MAX_NUMBER_LENGTH) {
      return ScalarType.TEXT;
    }
    if (INTEGER.matcher(text).matches()) {
      return ScalarType.INTEGER;
    }
    return DECIMAL.matcher(text).matches() ? ScalarType.DECIMAL : ScalarType.TEXT;
  }
}
