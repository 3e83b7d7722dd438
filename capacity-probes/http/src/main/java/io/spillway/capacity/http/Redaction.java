package io.spillway.capacity.http;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Makes a provider's words fit for people: without the account's secrets, which some interfaces
 * echo, without what looks like a token, in one line and short. Immutable, any thread.
 */
public final class Redaction {
  private static final int LONGEST = 200;

  /** What is shorter than this is found in any text, and no provider's key is. */
  private static final int SHORTEST_SECRET = 6;

  private static final Pattern TOKENS =
      Pattern.compile(
          "(?i)\\b(?:bearer|basic|token|key|secret|password)[\\s:=\"']+[\\w.~+/=:-]{8,}");

  private final List<String> secrets;

  /**
   * @param secrets values that must never be shown
   */
  public Redaction(Collection<String> secrets) {
    this.secrets =
        secrets.stream()
            .filter(secret -> secret.length() >= SHORTEST_SECRET)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** The text for people, at most 200 characters. */
  public String of(String text) {
    String shown = text;
    for (String secret : secrets) {
      shown = shown.replace(secret, "***");
    }
    String line =
        TOKENS.matcher(shown).replaceAll("***").replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
  }
}
