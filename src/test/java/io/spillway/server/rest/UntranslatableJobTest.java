package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Nodes;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Start;
import io.spillway.server.gateway.FakeAgent;
import io.spillway.server.inbox.Inbox;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** A job that needs an operator which its cluster gets later, with an agent on the real gateway. */
@QuarkusTest
class UntranslatableJobTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject Inbox inbox;
  @Inject Pool pool;

  @TestHTTPResource("/")
  URI server;

  private final String cluster =
      "mpi-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());

  @Test
  void a_job_that_waits_for_an_operator_starts_in_the_decision_that_hears_of_it() {
    TestPolicies.add(TestPolicies.cluster(cluster));
    String queue = Calls.freshQueueOn(cluster);
    try (FakeAgent agent = agent()) {
      agent.send(
          AgentMessage.newBuilder().setCapabilities(able()),
          AgentMessage.newBuilder().setNodes(Nodes.newBuilder().setComplete(true)));
      inbox
          .append(SpotMarket.seen().lane(), "test", List.of(SpotMarket.seen()))
          .chain(key -> inbox.committed(key, PATIENCE))
          .await()
          .atMost(PATIENCE);
      String job = mpiJob(queue);

      ControlFrame stop = agent.awaits(f -> f.hasStop() && of(job, f.getStop().getAttempt()));
      assertThat(agent.received()).noneMatch(ControlFrame::hasStart);
      agent.send(absent(stop.getStop().getAttempt()));
      await().atMost(PATIENCE).untilAsserted(() -> waits(job));

      agent.send(
          AgentMessage.newBuilder().setCapabilities(able().addApiGroups("kubeflow.org/v2beta1")));
      Start start =
          agent.awaits(f -> f.hasStart() && of(job, f.getStart().getAttempt())).getStart();
      assertThat(start.getAttempt()).isEqualTo(job + "-2");
      assertThat(start.getManifestsList())
          .anyMatch(object -> object.toStringUtf8().contains("\"kind\":\"MPIJob\""));
      assertThat(rowsWith("AbilitiesChanged", job + "-2")).isEqualTo(1);
    }
  }

  private void waits(String job) {
    as("red")
        .get(JOBS + "/" + job + "/explain")
        .then()
        .statusCode(200)
        .body("state", equalTo("QUEUED"))
        .body("reason", equalTo("TRANSLATION_REFUSED"))
        .body("refusals.TRANSLATION_REFUSED", is(1))
        .body("wouldChange.findAll {it.cause == 'CLUSTER'}.subject", hasItem(cluster))
        .body(
            "candidates.detail",
            hasItem(
                allOf(
                    startsWith("refused by translation: MPI_OPERATOR_MISSING: "),
                    containsString(
                        "; asked again when the API versions of cluster "
                            + cluster
                            + " or the policies change"))));
  }

  private FakeAgent agent() {
    String token =
        json("admin")
            .body("{\"name\": \"" + cluster + "\"}")
            .post("/api/v1/clusters")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    return FakeAgent.welcomed(server.getPort(), cluster, token, 1);
  }

  private static String mpiJob(String queue) {
    return json("red")
        .body(Calls.job(queue, ", \"framework\": \"mpi\""))
        .post(JOBS)
        .then()
        .statusCode(201)
        .extract()
        .path("id");
  }

  private static Capabilities.Builder able() {
    return Capabilities.newBuilder().setAppliesManifests(true).addApiGroups("batch/v1");
  }

  private static boolean of(String job, String attempt) {
    return attempt.startsWith(job);
  }

  private static AgentMessage.Builder absent(String attempt) {
    return AgentMessage.newBuilder()
        .setAttempt(
            AttemptReport.newBuilder()
                .setAttempt(attempt)
                .setAttemptEpoch(1)
                .setPhase(Phase.PHASE_ABSENT));
  }

  /** Journal rows, each of one decision, with both words in their events. */
  private long rowsWith(String one, String other) {
    return pool.preparedQuery(
            "select count(*) from journal where strpos(events, $1) > 0 and strpos(events, $2) > 0")
        .execute(Tuple.of(one, other))
        .await()
        .atMost(PATIENCE)
        .iterator()
        .next()
        .getLong(0);
  }
}
