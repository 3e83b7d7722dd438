package io.spillway.capacity.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What went wrong in a round, redacted, each once, not more than people read. Any thread. */
final class Warnings {
  private static final int MOST = 20;

  private final Redaction redaction;
  private final Set<String> texts = new LinkedHashSet<>();
  private int left;

  Warnings(Redaction redaction) {
    this.redaction = redaction;
  }

  synchronized void add(String text) {
    String shown = redaction.of(text);
    if (texts.size() < MOST) {
      texts.add(shown);
    } else if (!texts.contains(shown)) {
      left++;
    }
  }

  synchronized List<String> all() {
    List<String> all = new java.util.ArrayList<>(texts);
    if (left > 0) {
      all.add("and " + left + " more");
    }
    return List.copyOf(all);
  }
}
