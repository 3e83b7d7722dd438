package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.server.policy.PolicyChange;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class PoliciesTest {
  private static final String POLICIES = "/api/v1/policies";
  private static final String YAML = "application/yaml";

  @AfterEach
  void restore() {
    TestPolicies.put();
  }

  @Test
  void the_set_in_force_is_shown_as_written_with_its_version_as_etag() {
    freshQueue();
    String version =
        as("viewer")
            .get(POLICIES)
            .then()
            .statusCode(200)
            .body("files[0].content", containsString("kind: Cluster"))
            .body("author", equalTo("admin"))
            .body("source", equalTo("api"))
            .extract()
            .path("version");
    as("viewer").get(POLICIES).then().header("ETag", equalTo('"' + version + '"'));
    as("viewer")
        .get(POLICIES + "/versions")
        .then()
        .statusCode(200)
        .body("items.version", hasItem(version))
        .body("items[0].createdAt", notNullValue());
    as("viewer").get(POLICIES + "/versions?limit=0").then().spec(problem(400, "invalid-request"));
  }

  @Test
  void replacing_needs_the_version_that_was_read() {
    freshQueue();
    as("admin")
        .contentType(YAML)
        .body(TestPolicies.all())
        .put(POLICIES)
        .then()
        .spec(problem(428, "precondition-required"));
    as("admin")
        .contentType(YAML)
        .header("If-Match", "\"other\"")
        .body(TestPolicies.all())
        .put(POLICIES)
        .then()
        .spec(problem(412, "precondition-failed"));
    as("operator")
        .contentType(YAML)
        .header("If-Match", "x")
        .body(TestPolicies.all())
        .put(POLICIES)
        .then()
        .spec(problem(403, "forbidden"));
    as("admin")
        .contentType("text/plain")
        .body("x")
        .put(POLICIES)
        .then()
        .spec(problem(415, "unsupported-media-type"));
  }

  @Test
  void a_bad_set_changes_nothing_and_its_faults_have_places() {
    freshQueue();
    String before = version();
    as("admin")
        .contentType(YAML)
        .header("If-Match", '"' + before + '"')
        .body(
            """
            apiVersion: spillway.io/v1beta1
            kind: Queue
            metadata: {name: a}
            spec: {placment: {}}
            """)
        .put(POLICIES)
        .then()
        .spec(problem(422, "invalid-policy"))
        .body("errors[0].field", containsString("body.yaml:4:"));
    as("admin")
        .contentType(YAML)
        .header("If-Match", '"' + before + '"')
        .body(": : [")
        .put(POLICIES)
        .then()
        .spec(problem(422, "invalid-policy"));
    org.assertj.core.api.Assertions.assertThat(version()).isEqualTo(before);
  }

  @Test
  void validation_tells_findings_and_changes_nothing() {
    freshQueue();
    String before = version();
    as("viewer")
        .contentType(YAML)
        .body(TestPolicies.all())
        .post(POLICIES + ":validate")
        .then()
        .statusCode(200)
        .body("valid", is(true))
        .body("version", equalTo(before));
    as("viewer")
        .contentType(YAML)
        .body("kind: Nothing\n")
        .post(POLICIES + ":validate")
        .then()
        .statusCode(200)
        .body("valid", is(false))
        .body("findings.size()", greaterThan(0))
        .body("findings[0].line", greaterThan(0))
        .body("findings[0].code", notNullValue());
  }

  @Test
  void an_older_version_is_put_in_force_again() {
    freshQueue();
    String old = version();
    freshQueue();
    json("admin")
        .body("{\"version\": \"" + old + "\"}")
        .post(POLICIES + ":rollback")
        .then()
        .statusCode(200)
        .body("version", equalTo(old))
        .body("inForce", is(true));
    org.assertj.core.api.Assertions.assertThat(version()).isEqualTo(old);
    json("admin")
        .body("{\"version\": \"nope\"}")
        .post(POLICIES + ":rollback")
        .then()
        .spec(problem(404, "not-found"));
    json("admin").body("{}").post(POLICIES + ":rollback").then().spec(problem(422, "invalid-body"));
    json("operator")
        .body("{\"version\": \"x\"}")
        .post(POLICIES + ":rollback")
        .then()
        .spec(problem(403, "forbidden"));
  }

  @Test
  void in_directory_mode_a_change_is_a_conflict_that_names_the_directory() {
    assertThatThrownBy(
            () ->
                PolicyAnswers.answer(
                    new PolicyChange.OwnedByDirectory(Optional.of(Path.of("conf/policies")))))
        .hasMessageContaining("conf/policies");
  }

  private static String version() {
    return as("viewer").get(POLICIES).then().extract().path("version");
  }
}
