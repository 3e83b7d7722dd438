package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.server.jobs.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a translation made, to look into. */
record Objects(List<JsonNode> all) {
  static final AttemptId ATTEMPT = AttemptId.parse("01HZYJ5Q6V7W8X9Y0ZABCDEFGH-2");
  private static final ObjectMapper JSON = new ObjectMapper();

  static Placement placement(
      TestClusters cluster, OfferingId offering, ClusterAbility ability, JobSpec job) {
    return new Placement(
        ATTEMPT,
        job,
        offering,
        cluster.node(offering),
        cluster.site(offering, ability),
        List.of(),
        List.of());
  }

  static Translated start(
      TestClusters cluster, ClusterAbility ability, Consumer<ObjectNode> change) {
    return ManifestTranslation.start(
        placement(cluster, cluster.fast(), ability, TestJobs.job(change)));
  }

  static Translated start(TestClusters cluster, OfferingId offering, Consumer<ObjectNode> change) {
    return ManifestTranslation.start(
        placement(cluster, offering, cluster.ability(), TestJobs.job(change)));
  }

  /** On the kind's machine with a fabric, in a cluster that has the usual. */
  static Objects started(ClusterKind kind, Consumer<ObjectNode> change) {
    TestClusters cluster = TestClusters.of(kind);
    return of(start(cluster, cluster.ability(), change));
  }

  static Objects of(Translated translated) {
    assertThat(translated).isInstanceOf(Translated.Manifests.class);
    List<JsonNode> objects = new ArrayList<>();
    for (String object : ((Translated.Manifests) translated).objects()) {
      try {
        objects.add(JSON.readTree(object));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(object, e);
      }
    }
    return new Objects(objects);
  }

  JsonNode workload() {
    return byRole("workload");
  }

  JsonNode byRole(String role) {
    return all.stream()
        .filter(o -> o.at("/metadata/labels/spillway.io~1role").asText().equals(role))
        .findFirst()
        .orElseThrow();
  }

  List<String> kinds() {
    return all.stream().map(object -> object.path("kind").asText()).toList();
  }

  /** The pod of a member, or of an MPI job's worker. */
  JsonNode pod() {
    JsonNode workload = workload();
    return switch (workload.path("kind").asText()) {
      case "Job" -> workload.at("/spec/template");
      case "JobSet" -> workload.at("/spec/replicatedJobs/0/template/spec/template");
      default -> workload.at("/spec/mpiReplicaSpecs/Worker/template");
    };
  }

  JsonNode container() {
    return pod().at("/spec/containers/0");
  }

  /** A variable's value, empty if it has none of its own. */
  String env(String name) {
    for (JsonNode variable : container().path("env")) {
      if (variable.path("name").asText().equals(name)) {
        return variable.path("value").asText();
      }
    }
    return "";
  }
}
