package io.spillway.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster has, by the last word of its agent.
 *
 * @param fingerprints by kind: equal fingerprints mean equal things; sorted
 */
public record Abilities(Map<Ability, String> fingerprints) {
  /** Nothing is known. */
  public static final Abilities NONE = new Abilities(Map.of());

  public Abilities {
    fingerprints = Collections.unmodifiableMap(new TreeMap<>(fingerprints));
  }

  /** These kinds alone. */
  public Abilities only(Iterable<Ability> kinds) {
    Map<Ability, String> some = new TreeMap<>();
    for (Ability kind : kinds) {
      if (fingerprints.containsKey(kind)) {
        some.put(kind, fingerprints.get(kind));
      }
    }
    return new Abilities(some);
  }

  /** Whether the other says the same of every kind that this one speaks of. */
  public boolean agreesWith(Abilities other) {
    return other.fingerprints.entrySet().containsAll(fingerprints.entrySet());
  }
}
