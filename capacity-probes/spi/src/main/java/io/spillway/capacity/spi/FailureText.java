package io.spillway.capacity.spi;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of a refusal, with everything taken out that a user or a machine's name could have put
 * there: quoted spans, echoed values, and tokens that are built like identifiers ({@code
 * capacity-test-7}, {@code team/gpu}). What is left is the provider's own prose, which is matched
 * by whole phrases. Immutable to see, any thread; never throws and reads at most 1 KB.
 */
public final class FailureText {
  private static final int MAX_READ = 1_024;
  private static final int MAX_CODE = 120;

  private static final Pattern CODE = Pattern.compile("[A-Za-z][A-Za-z0-9_.:/\\-]*");

  /** Possessive, so that no text makes the match slow. */
  private static final Pattern QUOTED =
      Pattern.compile("\"[^\"]*+\"|`[^`]*+`|(?<![\\p{L}\\p{N}])'[^']*+'");

  /** What a wrapper says in quotes is the provider's word: {@code "message": "Out of …"}. */
  private static final Pattern SAID =
      Pattern.compile(
          "(?i)\"?\\b(?:error ?_?message|error ?_?code|error|message|code|reason|details?|err|msg)\"?"
              + "\\s*+[:=]\\s*+\"([^\"]*+)\"");

  /** A code behind its name, whatever its spelling: {@code "reason": "quotaExceeded"}. */
  private static final Pattern CODED =
      Pattern.compile(
          "(?i)\\b(?:error ?_?code|code|reason)\"?\\s*+[:=]\\s*+\"([a-z][a-z0-9_.]*+)\"");

  /** A quote inside a text inside a text, with all the strokes before it. */
  private static final Pattern ESCAPED_QUOTE = Pattern.compile("\\\\++\"");

  private static final Pattern ECHOED =
      Pattern.compile(
          "(?i)\\bvalue\\s*+\\([^)]*+\\)|\\b(?:display ?name|named|called|name)\\s*+(?:[:=]|is\\b)?\\s*+[^\\s,;]++");

  /** An identifier: letters or digits on both sides of a joint. */
  private static final Pattern IDENTIFIER =
      Pattern.compile("[\\p{L}\\p{N}]++(?:[-_./:@=#~+][\\p{L}\\p{N}]++)++");

  /**
   * A code inside a message stands before a colon, a comma or a closing bracket, or in the brackets
   * after "occurred".
   */
  private static final Pattern NESTED =
      Pattern.compile(
          "(?:^|[\\s,;\\[{(])([A-Z][A-Za-z0-9]++(?:[._][A-Z][A-Za-z0-9]*+)*+)(?=\\s*[:,;\\])]|$)"
              + "|occurred \\(([A-Z][A-Za-z0-9.]+)\\)");

  private static final Pattern SPACES = Pattern.compile("[\\s\\p{Cntrl}]++");
  private static final Pattern NUMBER = Pattern.compile("\\d++");

  /** Keys, tokens and hashes: long, with letters and digits in one word. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)\\b(?=[a-z0-9+/=_.-]{0,200}\\d)[a-z0-9+/=_.-]{16,}+|\\b(?:bearer|token|key|secret|password|signature)\\b\\s*+[:=]?\\s*+\\S++");

  private static final Pattern LIMIT_OF_ZERO =
      Pattern.compile(
          "(?i)\\b(?:limit|quota)(?:\\s(?:of|is|was))?[:=\\s]\\s*+0(?![\\d.]*[1-9])\\b");

  private final String code;
  private final String message;

  /** Read when somebody first asks for more than the code, which often says all. */
  private volatile Words read;

  private FailureText(String code, String message) {
    this.code = code;
    this.message = message;
  }

  /** What the message says. */
  private record Words(String prose, Set<String> nested, boolean limitOfZero) {}

  /** The words of that refusal. */
  public static FailureText of(FailureClassifier.Failure failure) {
    return of(failure.code(), failure.message());
  }

  /** The same of its code and its message; either may be empty or null. */
  public static FailureText of(String toldCode, String told) {
    String message = head(told, MAX_READ);
    String code = head(toldCode, MAX_CODE).strip();
    // A sentence where a code should be is read as a sentence.
    return CODE.matcher(code).matches()
        ? new FailureText(code, message)
        : new FailureText("", head(code + ' ' + message, MAX_READ));
  }

  /** Two threads may read it at once; they read the same. */
  private Words words() {
    Words known = read;
    if (known == null) {
      known = read(message);
      read = known;
    }
    return known;
  }

  private static Words read(String message) {
    String unescaped =
        ESCAPED_QUOTE.matcher(message).replaceAll("\"").replace("\"{", "{").replace("}\"", "}");
    String said = SAID.matcher(unescaped).replaceAll(" $1, ");
    String unquoted = ECHOED.matcher(QUOTED.matcher(said).replaceAll(" ")).replaceAll(" ");
    Set<String> nested = new LinkedHashSet<>();
    CODED.matcher(unescaped).results().forEach(match -> nested.add(match.group(1)));
    Matcher found = NESTED.matcher(unquoted);
    while (found.find()) {
      nested.add(found.group(1) != null ? found.group(1) : found.group(2));
    }
    String prose =
        SPACES
            .matcher(IDENTIFIER.matcher(unquoted).replaceAll(" "))
            .replaceAll(" ")
            .toLowerCase(Locale.ROOT)
            .strip();
    return new Words(
        prose,
        Collections.unmodifiableSet(nested),
        // In the words before identifiers are out: 0.0 looks like one.
        LIMIT_OF_ZERO.matcher(unquoted).find());
  }

  /** The provider's code; empty when there was none or it was no code. */
  public String code() {
    return code;
  }

  /**
   * Codes inside the message: those behind the word "code" or "reason", then those that only stand
   * like one. Of the latter case counts: names of objects are lower case.
   */
  public Set<String> nested() {
    return words().nested();
  }

  /** Whether the prose has one of the phrases; these are in lower case. */
  public boolean says(String... phrases) {
    String prose = words().prose();
    for (String phrase : phrases) {
      if (prose.contains(phrase)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it says that a limit is zero: nothing changes until somebody raises it. */
  public boolean limitOfZero() {
    return words().limitOfZero();
  }

  /** The code's own words, for example {@code ZONE_POOL_EXHAUSTED} has {@code exhausted}. */
  public boolean codeHas(String word) {
    return code.toLowerCase(Locale.ROOT).contains(word);
  }

  /** For people: the code, else the message as it came, at most 200 characters. */
  public String label() {
    return code.isEmpty()
        ? head(SPACES.matcher(message).replaceAll(" ").strip(), 200)
        : head(code, 200);
  }

  /**
   * For the log: code and prose without numbers, so that a thousand refusals of one kind have one
   * shape, and without anything that a user, a machine or a secret could have put there; at most
   * 200 characters.
   */
  public String shape() {
    String said = (code.isEmpty() ? "" : code + ": ") + words().prose();
    return head(NUMBER.matcher(SECRET.matcher(said).replaceAll("…")).replaceAll("#").strip(), 200);
  }

  private static String head(String text, int length) {
    if (text == null) {
      return "";
    }
    return text.length() <= length ? text : text.substring(0, length);
  }
}
