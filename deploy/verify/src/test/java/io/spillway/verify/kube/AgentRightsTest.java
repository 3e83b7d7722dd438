package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * What the chart gives the agent, asked of the real authorizer: nothing of a list of verbs, by
 * asking and by trying. That it is enough is what {@link StoriesTest} shows.
 */
@Kubernetes
class AgentRightsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What is asked of RBAC without being a request of its own. */
  private static final Set<String> ONLY_ASKED = Set.of("impersonate", "bind", "escalate");

  /** A line of the list. */
  private record Right(String verb, String group, String resource, String namespace) {
    static Right of(String line) {
      String[] words = line.split(" ");
      return new Right(
          words[0],
          words[1].equals("core") ? "" : words[1],
          words[2],
          words[3].equals("-") ? "" : words[3]);
    }

    ObjectNode review() {
      ObjectNode review = JSON.createObjectNode();
      review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
      ObjectNode asked = review.putObject("spec").putObject("resourceAttributes");
      asked.put("verb", verb).put("group", group).put("namespace", namespace);
      asked.put("resource", resource.split("/")[0]);
      if (resource.contains("/")) {
        asked.put("subresource", resource.split("/")[1]);
      }
      return review;
    }

    String path() {
      String version =
          switch (group) {
            case "" -> "/api/v1";
            case "jobset.x-k8s.io" -> "/apis/" + group + "/v1alpha2";
            default -> "/apis/" + group + "/v1";
          };
      String[] parts = resource.split("/");
      boolean named = !List.of("list", "watch", "deletecollection").contains(verb);
      boolean creates = verb.equals("create") && parts.length == 1;
      return version
          + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
          + '/'
          + parts[0]
          + (named && !creates ? "/some" : "")
          + (parts.length > 1 ? '/' + parts[1] : "")
          + (verb.equals("watch") ? "?watch=1&timeoutSeconds=1" : "");
    }
  }

  private static List<Right> forbidden() throws IOException {
    try (InputStream in = AgentRightsTest.class.getResourceAsStream("/kube/forbidden.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Right::of)
          .toList();
    }
  }

  private static KubeApi agent(KubeWorld world) throws Exception {
    AgentChart chart =
        AgentChart.install(
            world.cluster(), "eks-ohio", AgentChart.QUEUES, Files.createTempDirectory("chart"));
    return world.cluster().as(chart.token());
  }

  @Test
  void what_is_forbidden_is_denied_by_the_authorizer(KubeWorld world) throws Exception {
    KubeApi agent = agent(world);
    SoftAssertions softly = new SoftAssertions();
    for (Right right : forbidden()) {
      JsonNode status =
          agent
              .post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", right.review())
              .orFail()
              .path("status");
      softly.assertThat(status.path("allowed").asBoolean(true)).as(right.toString()).isFalse();
    }
    softly.assertAll();
  }

  @Test
  void what_is_forbidden_is_refused_when_it_is_tried(KubeWorld world) throws Exception {
    KubeApi agent = agent(world);
    SoftAssertions softly = new SoftAssertions();
    for (Right right : forbidden()) {
      Optional<KubeApi.Answer> answer = tried(agent, right);
      answer.ifPresent(
          it -> softly.assertThat(it.status()).as("%s: %s", right, it.message()).isEqualTo(403));
    }
    softly.assertAll();
  }

  private static Optional<KubeApi.Answer> tried(KubeApi agent, Right right)
      throws IOException, InterruptedException {
    ObjectNode body = JSON.createObjectNode();
    if (ONLY_ASKED.contains(right.verb())) {
      return Optional.empty();
    }
    return Optional.of(
        switch (right.verb()) {
          case "create" -> agent.post(right.path(), body);
          case "update" -> agent.put(right.path(), body);
          case "patch" -> agent.merge(right.path(), body);
          case "delete", "deletecollection" -> agent.delete(right.path());
          default -> agent.get(right.path());
        });
  }
}
