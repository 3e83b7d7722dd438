package io.spillway.server.json;

/** Checks on texts from strangers. */
public final class Texts {
  private Texts() {}

  /** Whether the store can hold it: no NUL, no half of a surrogate pair. */
  public static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        if (i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      } else if (Character.isLowSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  /** The text shortened and with everything replaced that is not printable ASCII. */
  public static String printable(String text, int max) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length() && i < max; i++) {
      char c = text.charAt(i);
      shown.append(c >= ' ' && c < 127 ? c : '?');
    }
    return text.length() > max ? shown + "…" : shown.toString();
  }
}
