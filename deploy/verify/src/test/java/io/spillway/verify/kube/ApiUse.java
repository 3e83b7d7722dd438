package io.spillway.verify.kube;

import io.spillway.verify.kube.Wire.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a request needs to be allowed, in the words of RBAC.
 *
 * @param group empty for the core group
 * @param resource with its subresource: {@code pods/log}
 * @param namespace empty if it asks for all, or for what has none
 */
record ApiUse(String verb, String group, String resource, String namespace) {

  /** Empty for paths that are no resources: {@code /version}, discovery. */
  static Optional<ApiUse> of(Asked asked) {
    String query = asked.path().contains("?") ? asked.path().replaceFirst("[^?]*\\?", "") : "";
    List<String> parts =
        new ArrayList<>(List.of(asked.path().replaceFirst("\\?.*", "").substring(1).split("/")));
    boolean core = parts.size() > 2 && parts.getFirst().equals("api");
    if (!core && !(parts.size() > 3 && parts.getFirst().equals("apis"))) {
      return Optional.empty();
    }
    String group = core ? "" : parts.get(1);
    List<String> rest = new ArrayList<>(parts.subList(core ? 2 : 3, parts.size()));
    String namespace = "";
    if (rest.getFirst().equals("namespaces") && rest.size() > 2) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    boolean named = rest.size() > 1;
    String resource = rest.getFirst() + (rest.size() > 2 ? '/' + rest.get(2) : "");
    return Optional.of(new ApiUse(verb(asked.method(), named, query), group, resource, namespace));
  }

  private static String verb(String method, boolean named, String query) {
    boolean watch = query.contains("watch=true") || query.contains("watch=1");
    return switch (method) {
      case "GET" -> watch ? "watch" : named ? "get" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> named ? "delete" : "deletecollection";
      default -> method;
    };
  }
}
