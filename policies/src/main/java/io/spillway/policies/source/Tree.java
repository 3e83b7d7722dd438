package io.spillway.policies.source;

import io.spillway.policies.finding.Place;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A document as it was written, each node with its place and its path from the root. */
public sealed interface Tree {
  Place place();

  /** For example {@code spec.ladder[0].name}; empty at the root. */
  String path();

  /** Keys in the order of the file; no key twice. */
  record Mapping(Place place, String path, Map<String, Member> members) implements Tree {
    public Mapping {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    public Optional<Tree> get(String key) {
      return Optional.ofNullable(members.get(key)).map(Member::value);
    }

    /** Where that key stands, or this mapping when it does not. */
    public Place placeOfKey(String key) {
      Member member = members.get(key);
      return member == null ? place : member.key();
    }
  }

  /** A value and where its key stands. */
  record Member(Place key, Tree value) {}

  record Sequence(Place place, String path, List<Tree> items) implements Tree {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /**
   * A single value.
   *
   * @param text as written, without quotes; decimals keep every digit
   */
  record Scalar(Place place, String path, ScalarType type, String text) implements Tree {}

  /** What a scalar is by the YAML 1.2 core schema, in which {@code yes} and {@code on} are text. */
  enum ScalarType {
    TEXT,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    NULL
  }

  /** The node at that path below this one, or the nearest one above it that exists. */
  default Tree nearest(Object... steps) {
    Tree at = this;
    for (Object step : steps) {
      Optional<Tree> next =
          switch (at) {
            case Mapping mapping -> mapping.get(step.toString());
            case Sequence sequence
                when step instanceof Integer index && index < sequence.items().size() ->
                Optional.of(sequence.items().get(index));
            case Sequence ignored -> Optional.empty();
            case Scalar ignored -> Optional.empty();
          };
      if (next.isEmpty()) {
        return at;
      }
      at = next.get();
    }
    return at;
  }
}
