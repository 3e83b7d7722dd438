package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One verb on one resource that a role allows.
 *
 * @param role its name
 * @param group empty for the core group
 * @param resource with its subresource: {@code pods/log}
 */
record RoleRight(String role, String verb, String group, String resource)
    implements Comparable<RoleRight> {
  private static final Comparator<RoleRight> ORDER =
      Comparator.comparing(RoleRight::role)
          .thenComparing(RoleRight::group)
          .thenComparing(RoleRight::resource)
          .thenComparing(RoleRight::verb);

  /** A rule, right by right. */
  static List<RoleRight> of(String role, JsonNode rule) {
    List<RoleRight> rights = new ArrayList<>();
    for (JsonNode group : rule.path("apiGroups")) {
      for (JsonNode resource : rule.path("resources")) {
        for (JsonNode verb : rule.path("verbs")) {
          rights.add(new RoleRight(role, verb.asText(), group.asText(), resource.asText()));
        }
      }
    }
    return List.copyOf(rights);
  }

  /** As its line in a list says it. */
  String line() {
    return String.join(" ", role, verb, group.isEmpty() ? "core" : group, resource);
  }

  @Override
  public int compareTo(RoleRight other) {
    return ORDER.compare(this, other);
  }
}
