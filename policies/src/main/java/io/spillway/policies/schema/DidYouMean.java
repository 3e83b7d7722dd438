package io.spillway.policies.schema;

import io.spillway.scheduler.model.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The end of a message that names the nearest known word, or nothing when none is near. */
public final class DidYouMean {
  private static final int LONGEST = 32;
  private static final int MOST_KNOWN = 500;

  private DidYouMean() {}

  /** For example {@code "; did you mean 'ladder'?"}, or the empty text. */
  public static String among(Collection<String> known, String word) {
    if (word.length() > LONGEST || known.size() > MOST_KNOWN) {
      return "";
    }
    String lower = word.toLowerCase(Locale.ROOT);
    int farthest = Math.max(1, Math.min(4, word.length() / 2));
    return known.stream()
        .map(name -> new Near(name, EditDistance.between(name.toLowerCase(Locale.ROOT), lower)))
        .filter(near -> near.distance <= farthest)
        .min(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
        .map(near -> "; did you mean '" + near.name + "'?")
        .orElse("");
  }

  private record Near(String name, int distance) {}
}
