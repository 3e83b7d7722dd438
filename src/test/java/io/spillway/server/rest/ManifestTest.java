package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.protocol.v1.Capabilities;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What a job would become in a cluster. */
@QuarkusTest
class ManifestTest {
  @Inject Pool pool;

  private final String cluster =
      "manifest-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());
  private final String offering = cluster + "~usw2-az1~p5.48xlarge~spot";

  @Test
  void a_preview_shows_the_objects_of_the_next_attempt_the_same_every_time() {
    String job = job();
    agentSaid(Capabilities.newBuilder().setAppliesManifests(true).addApiGroups("batch/v1"));
    String first =
        as("red")
            .get(JOBS + "/" + job + "/manifest?offering=" + offering)
            .then()
            .statusCode(200)
            .contentType("application/json")
            .body("kind", equalTo("List"))
            .body("items.kind", hasItems("Job"))
            .body("items[0].metadata.namespace", containsString("spillway-red-"))
            .body("items[0].metadata.labels.'spillway.io/attempt'", equalTo(job + "-1"))
            .body("items[0].metadata.labels.'spillway.io/cluster'", equalTo(cluster))
            .extract()
            .asString();
    assertThat(as("viewer").get(JOBS + "/" + job + "/manifest?offering=" + offering).asString())
        .isEqualTo(first);
  }

  @Test
  void what_cannot_run_there_is_said_with_its_code() {
    String queue = queue();
    String mpi =
        Calls.json("red")
            .body(
                """
                {"name": "mpi", "queue": "%s", "image": "registry.example/train:1",
                 "framework": "mpi", "resources": {"gpu": ["nvidia-h100-80gb"]}}
                """
                    .formatted(queue))
            .post(JOBS)
            .then()
            .statusCode(201)
            .extract()
            .path("id");
    agentSaid(Capabilities.newBuilder().setAppliesManifests(true).addApiGroups("batch/v1"));
    as("red")
        .get(JOBS + "/" + mpi + "/manifest?offering=" + offering)
        .then()
        .spec(problem(422, "untranslatable"))
        .body("detail", containsString("MPI_OPERATOR_MISSING"));
    agentSaid(
        Capabilities.newBuilder()
            .setAppliesManifests(true)
            .addApiGroups("batch/v1")
            .addApiGroups("kubeflow.org/v2beta1"));
    as("red")
        .get(JOBS + "/" + mpi + "/manifest?offering=" + offering)
        .then()
        .statusCode(200)
        .body("items.kind", hasItems("MPIJob"));
  }

  @Test
  void bad_previews_are_told_apart() {
    String job = job();
    as("red")
        .get(JOBS + "/" + job + "/manifest")
        .then()
        .spec(problem(400, "invalid-request"))
        .body("errors[0].field", equalTo("offering"));
    as("red")
        .get(JOBS + "/" + job + "/manifest?offering=nonsense")
        .then()
        .spec(problem(404, "not-found"));
    as("red")
        .get(JOBS + "/" + job + "/manifest?offering=" + cluster + "~usw2-az9~p5.48xlarge~spot")
        .then()
        .spec(problem(404, "not-found"))
        .body("detail", containsString("usw2-az9"));
    as("red")
        .get(JOBS + "/" + job + "/manifest?offering=" + offering)
        .then()
        .spec(problem(409, "state-conflict"))
        .body("detail", containsString("no agent that applies manifests"));
    agentSaid(Capabilities.newBuilder().addApiGroups("batch/v1"));
    as("red")
        .get(JOBS + "/" + job + "/manifest?offering=" + offering)
        .then()
        .spec(problem(409, "state-conflict"));
    as("red")
        .get(JOBS + "/01KB3Z6Q8V4T2N7M5XW9R1C0DE/manifest?offering=" + offering)
        .then()
        .spec(problem(404, "not-found"));
  }

  @Test
  void a_preview_is_for_those_who_may_read_the_job() {
    String job = job();
    String path = JOBS + "/" + job + "/manifest?offering=" + offering;
    as("blue").get(path).then().spec(problem(403, "queue-not-yours"));
    as("events").get(path).then().spec(problem(403, "forbidden"));
    io.restassured.RestAssured.given().get(path).then().spec(problem(401, "unauthenticated"));
    as("operator").get(path).then().statusCode(not(403));
  }

  private String job() {
    return submitted(queue());
  }

  private String queue() {
    TestPolicies.add(TestPolicies.cluster(cluster));
    return Calls.freshQueueOn(cluster);
  }

  private void agentSaid(Capabilities.Builder said) {
    pool.preparedQuery(
            """
            insert into agent_session (cluster, replica, generation, agent_epoch, capabilities)
            values ($1, 'test', 1, 1, $2)
            on conflict (cluster) do update set capabilities = excluded.capabilities
            """)
        .execute(Tuple.of(cluster, Buffer.buffer(said.build().toByteArray())))
        .await()
        .atMost(Duration.ofSeconds(10));
  }
}
