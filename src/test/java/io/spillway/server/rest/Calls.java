package io.spillway.server.rest;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.builder.ResponseSpecBuilder;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import io.restassured.specification.ResponseSpecification;
import java.util.concurrent.atomic.AtomicInteger;

/** How the tests speak to the API. */
final class Calls {
  static final String JOBS = "/api/v1/jobs";
  private static final RestAssuredConfig TEXTS =
      RestAssuredConfig.config()
          .encoderConfig(
              EncoderConfig.encoderConfig()
                  .encodeContentTypeAs("application/yaml", ContentType.TEXT)
                  .encodeContentTypeAs("application/merge-patch+json", ContentType.TEXT));
  private static final AtomicInteger QUEUES = new AtomicInteger(1);

  private Calls() {}

  /** A request with the token of that name. */
  static RequestSpecification as(String name) {
    return given().config(TEXTS).header("Authorization", "Bearer " + name + "-token");
  }

  static RequestSpecification json(String name) {
    return as(name).contentType("application/json");
  }

  /** A queue of red's that the live policies have and nobody used before. */
  static String freshQueue() {
    return freshQueue("");
  }

  /** The same with more lines of its spec, indented by two. */
  static String freshQueue(String spec) {
    String name = "red-" + QUEUES.getAndIncrement();
    TestPolicies.add(TestPolicies.queue(name, spec));
    return name;
  }

  /** A fresh queue whose first rung is spot capacity of that cluster. */
  static String freshQueueOn(String cluster) {
    String name = "red-" + QUEUES.getAndIncrement();
    TestPolicies.add(TestPolicies.queue(name, cluster, ""));
    return name;
  }

  static String job(String queue) {
    return job(queue, "");
  }

  /** A small job; {@code more} are further members, each with a comma before it. */
  static String job(String queue, String more) {
    return """
    {"name": "train", "queue": "%s", "image": "registry.example/train:1",
     "resources": {"gpu": ["nvidia-h100-80gb"]}%s}
    """
        .formatted(queue, more);
  }

  /** Submits a small job as red and returns its id. */
  static String submitted(String queue) {
    return submitted(queue, "");
  }

  static String submitted(String queue, String more) {
    return json("red")
        .body(job(queue, more))
        .post(JOBS)
        .then()
        .statusCode(201)
        .extract()
        .path("id");
  }

  /** A problem of that status and kind, complete and without anything of our insides. */
  static ResponseSpecification problem(int status, String slug) {
    return new ResponseSpecBuilder()
        .expectStatusCode(status)
        .expectContentType("application/problem+json")
        .expectBody("type", equalTo("https://spillway.io/problems/" + slug))
        .expectBody("status", equalTo(status))
        .expectBody("title", not(equalTo("")))
        .expectBody("detail", not(equalTo("")))
        .expectBody("instance", startsWith("/"))
        .expectBody(not(containsString("Exception")))
        .expectBody(not(containsString("\tat ")))
        .build();
  }
}
