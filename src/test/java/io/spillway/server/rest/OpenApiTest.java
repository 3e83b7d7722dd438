package io.spillway.server.rest;

import static io.restassured.RestAssured.given;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Holds the API document against {@code docs/openapi.json}. A wanted change is written there by
 * {@code -Dspillway.openapi.write=true}.
 */
@QuarkusTest
class OpenApiTest {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(
              SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT);
  private static final Set<String> WITHOUT_EXAMPLE =
      Set.of(
          "getLogs",
          "listBlockers",
          "drainPool",
          "drainCluster",
          "releaseNode",
          "dryRunPolicies",
          "getCosts",
          "getAudit");

  @Test
  void the_document_is_the_published_one() throws IOException {
    String now = JSON.writeValueAsString(JSON.treeToValue(document(), Object.class)) + "\n";
    Path published = Path.of("..", "docs", "openapi.json");
    if (Boolean.getBoolean("spillway.openapi.write")) {
      Files.writeString(published, now);
    }
    assertThat(now)
        .as("the API changed; if that is wanted, run this test with -Dspillway.openapi.write=true")
        .isEqualTo(Files.readString(published));
  }

  @Test
  void every_call_has_an_example_and_tells_its_problems() throws IOException {
    List<String> without = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (JsonNode path : document().path("paths")) {
      for (JsonNode operation : path) {
        String id = operation.path("operationId").asText();
        seen.add(id);
        assertThat(operation.path("responses").path("default").path("$ref").asText())
            .as(id)
            .endsWith("/Problem");
        if (!WITHOUT_EXAMPLE.contains(id) && operation.findValues("example").isEmpty()) {
          without.add(id);
        }
      }
    }
    assertThat(without).isEmpty();
    assertThat(seen).containsAll(DocumentFilter.examples().keySet());
  }

  @Test
  void the_example_of_a_job_is_one_that_the_server_takes() {
    String queue = Calls.freshQueue();
    ObjectNode example = (ObjectNode) DocumentFilter.examples().get("submitJob").request();
    json("red")
        .body(example.put("queue", queue).toString())
        .post(Calls.JOBS)
        .then()
        .statusCode(201);
    ObjectNode batch = (ObjectNode) DocumentFilter.examples().get("submitJobs").request();
    ((ObjectNode) batch.at("/items/0/job")).put("queue", queue);
    json("red")
        .body(batch.toString())
        .post("/api/v1/jobs:batch")
        .then()
        .statusCode(200)
        .body("items[0].status", org.hamcrest.Matchers.is(201));
    as("viewer")
        .contentType("application/yaml")
        .body(DocumentFilter.examples().get("putPolicies").request().asText())
        .post("/api/v1/policies:validate")
        .then()
        .statusCode(200);
  }

  private static JsonNode document() throws IOException {
    return JSON.readTree(
        given().get("/api/v1/openapi").then().statusCode(200).extract().asByteArray());
  }
}
