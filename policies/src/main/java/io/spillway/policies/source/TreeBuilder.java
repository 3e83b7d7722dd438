package io.spillway.policies.source;

import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Place;
import io.spillway.policies.source.Tree.Member;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What both formats share while a tree grows: paths, depth, and keys that stand twice. */
final class TreeBuilder {
  private final Consumer<Finding> findings;

  TreeBuilder(Consumer<Finding> findings) {
    this.findings = findings;
  }

  static String below(String path, String key) {
    return path.isEmpty() ? key : path + '.' + key;
  }

  static String below(String path, int index) {
    return path + '[' + index + ']';
  }

  void requireDepth(int depth, Place place, String path) throws SourceRefused {
    if (depth > Limits.MAX_DEPTH) {
      throw new SourceRefused(
          place,
          path,
          FindingCode.TOO_DEEP,
          "nested deeper than " + Limits.MAX_DEPTH + " levels, which no policy needs");
    }
  }

  /** Keeps the first of two equal keys and reports the second. */
  void put(Map<String, Member> members, String path, String key, Member member) {
    Member first = members.putIfAbsent(key, member);
    if (first != null) {
      findings.accept(
          Finding.at(
              member.key(),
              below(path, key),
              FindingCode.DUPLICATE_KEY,
              "'" + key + "' stands here again; first in line " + first.key().line()));
    }
  }

  Map<String, Member> members() {
    return new LinkedHashMap<>();
  }
}
