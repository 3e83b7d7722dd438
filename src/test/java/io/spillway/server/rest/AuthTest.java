package io.spillway.server.rest;

import static io.restassured.RestAssured.given;
import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.job;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.smallrye.jwt.build.Jwt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class AuthTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @ConfigProperty(name = "test.jwt.private-key")
  String privateKey;

  @ConfigProperty(name = "spillway.auth.tokens-file")
  Path tokensFile;

  @ParameterizedTest
  @CsvSource({
    "viewer, GET, /api/v1/jobs, 200",
    "viewer, POST, /api/v1/system:resume, 403",
    "viewer, POST, /api/v1/jobs/01KB3Z6Q8V4T2N7M5XW9R1C0DE:cancel, 403",
    "red, POST, /api/v1/system:resume, 403",
    "red, POST, /api/v1/clusters/eks-test:cordon, 403",
    "red, GET, /api/v1/audit, 403",
    "operator, POST, /api/v1/system:resume, 200",
    "operator, GET, /api/v1/audit, 403",
    "admin, GET, /api/v1/audit, 501",
    "events, GET, /api/v1/version, 403",
    "events, GET, /api/v1/queues, 403",
    "admin, GET, /api/v1/openapi, 200"
  })
  void a_role_does_what_it_is_for(String who, String method, String path, int status) {
    as(who).request(method, path).then().statusCode(status);
  }

  @Test
  void the_administrators_token_of_the_environment_works() {
    given()
        .header("Authorization", "Bearer environment-admin-token")
        .get(JOBS)
        .then()
        .statusCode(200);
  }

  @Test
  void a_jwt_with_role_and_queues_is_a_submitter() throws Exception {
    String queue = freshQueue();
    String token = jwt(key(), "https://issuer.example", "submitter", queue);
    bearer(token)
        .contentType("application/json")
        .body(job(queue))
        .post(JOBS)
        .then()
        .statusCode(201)
        .body("submittedBy", equalTo("ada"));
    bearer(token)
        .contentType("application/json")
        .body(job("blue"))
        .post(JOBS)
        .then()
        .spec(problem(403, "queue-not-yours"));
    bearer(token).post("/api/v1/system:pause").then().spec(problem(403, "forbidden"));
  }

  @Test
  void a_claim_of_queues_that_names_none_opens_none() throws Exception {
    String id = submitted(freshQueue());
    for (Object queues : new Object[] {"blue", List.of("Not_A_Queue")}) {
      String token =
          Jwt.claim("spillway_role", "viewer")
              .claim("spillway_queues", queues)
              .upn("ada")
              .issuer("https://issuer.example")
              .expiresIn(300)
              .sign(key());
      bearer(token).get(JOBS + "/" + id).then().spec(problem(403, "queue-not-yours"));
    }
  }

  @Test
  void a_jwt_of_another_key_issuer_or_time_is_refused() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateKey other = generator.generateKeyPair().getPrivate();
    bearer(jwt(other, "https://issuer.example", "admin", "x"))
        .get(JOBS)
        .then()
        .spec(problem(401, "unauthenticated"));
    bearer(jwt(key(), "https://evil.example", "admin", "x"))
        .get(JOBS)
        .then()
        .spec(problem(401, "unauthenticated"));
    String old =
        Jwt.claim("spillway_role", "admin")
            .upn("ada")
            .issuer("https://issuer.example")
            .issuedAt(1_000_000)
            .expiresAt(1_000_100)
            .sign(key());
    bearer(old).get(JOBS).then().spec(problem(401, "unauthenticated"));
    bearer(jwt(key(), "https://issuer.example", "emperor", "x"))
        .get(JOBS)
        .then()
        .spec(problem(403, "forbidden"));
  }

  @Test
  void the_token_file_is_read_again_when_it_changes_and_a_broken_one_changes_nothing()
      throws IOException {
    String before = Files.readString(tokensFile);
    try {
      Files.writeString(tokensFile, before + ApiWorld.entry("fresh", "viewer", ""));
      await().atMost(PATIENCE).until(() -> as("fresh").get(JOBS).statusCode() == 200);
      Files.writeString(tokensFile, "- {name: broken");
      await()
          .during(Duration.ofMillis(500))
          .atMost(PATIENCE)
          .until(() -> as("fresh").get(JOBS).statusCode() == 200);
    } finally {
      Files.writeString(tokensFile, before);
    }
    await().atMost(PATIENCE).until(() -> as("fresh").get(JOBS).statusCode() == 401);
  }

  @Test
  void a_viewer_with_queues_sees_only_them() {
    String id = submitted(freshQueue());
    as("blue-viewer").get(JOBS + "/" + id).then().spec(problem(403, "queue-not-yours"));
    as("viewer").get(JOBS + "/" + id).then().statusCode(200);
  }

  private static RequestSpecification bearer(String token) {
    return given().header("Authorization", "Bearer " + token);
  }

  private PrivateKey key() throws Exception {
    return KeyFactory.getInstance("RSA")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(privateKey)));
  }

  private static String jwt(PrivateKey key, String issuer, String role, String queue) {
    return Jwt.claim("spillway_role", role)
        .claim("spillway_queues", List.of(queue))
        .upn("ada")
        .groups(Set.of())
        .issuer(issuer)
        .expiresIn(300)
        .sign(key);
  }
}
