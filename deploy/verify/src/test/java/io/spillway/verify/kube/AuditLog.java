package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an API server writes down of the requests of service accounts, its own controllers' left
 * out: for each the role that allowed it, in the authorizer's own words.
 */
final class AuditLog {
  static final String FILE = "audit.log";

  /** How the API server is told. A watch is there when it begins; it may never end. */
  static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules:
        - {level: None, userGroups: ["system:serviceaccounts:kube-system"]}
        - {level: Metadata, userGroups: ["system:serviceaccounts"]}
        - {level: None}
      """;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern BY_ROLE = Pattern.compile(" of (?:Cluster)?Role \"([^\"]+)\"");
  private static final int CREATED = 201;

  private AuditLog() {}

  /** The rights without which something that this account asked for would have been refused. */
  static Set<RoleRight> used(KubeCluster cluster, String namespace, String account)
      throws IOException {
    String user = "system:serviceaccount:" + namespace + ':' + account;
    Set<RoleRight> used = new TreeSet<>();
    Path file = cluster.directory().resolve(FILE);
    for (String line : Files.readAllLines(file)) {
      JsonNode event = JSON.readTree(line);
      Matcher role =
          BY_ROLE.matcher(event.path("annotations").path("authorization.k8s.io/reason").asText());
      if (event.path("user").path("username").asText().equals(user)
          && event.has("objectRef")
          && role.find()) {
        add(used, role.group(1), event);
      }
    }
    return Set.copyOf(used);
  }

  private static void add(Set<RoleRight> used, String role, JsonNode event) {
    JsonNode object = event.path("objectRef");
    String part = object.path("subresource").asText();
    String resource = object.path("resource").asText() + (part.isEmpty() ? "" : '/' + part);
    String group = object.path("apiGroup").asText();
    String verb = event.path("verb").asText();
    used.add(new RoleRight(role, verb, group, resource));
    // A patch that makes what is not there is asked about twice, and told once.
    if (verb.equals("patch") && event.path("responseStatus").path("code").asInt() == CREATED) {
      used.add(new RoleRight(role, "create", group, resource));
    }
  }
}
