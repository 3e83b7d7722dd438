package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.job;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class BadJobTest {
  @TestHTTPResource("/")
  URL server;

  @Test
  void malformed_json_is_answered_with_line_and_column() {
    json("red")
        .body("{\"name\": \"a\",\n  \"queue\" \"red-1\"}")
        .post(JOBS)
        .then()
        .spec(problem(400, "malformed-json"))
        .body("detail", containsString("line 2, column 11"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{]",
        "{\"a\": 01}",
        "{\"a\": NaN}",
        "{'a': 1}",
        "{} {}",
        "{\"a\": 1, \"a\": 2}",
        "{\"a\": \"\\uZZZZ\"}",
        "nul"
      })
  void whatever_is_no_json_is_a_400(String body) {
    json("red").body(body).post(JOBS).then().spec(problem(400, "malformed-json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "7", "\"text\"", "true"})
  void json_that_is_no_object_is_a_422(String body) {
    json("red").body(body).post(JOBS).then().spec(problem(422, "invalid-body"));
  }

  @Test
  void nesting_without_end_is_refused_before_it_costs_anything() {
    json("red")
        .body("{\"a\": " + "[".repeat(50_000) + "]".repeat(50_000) + "}")
        .post(JOBS)
        .then()
        .spec(problem(400, "malformed-json"))
        .body("detail", containsString("32 levels"));
  }

  @Test
  void a_body_over_the_limit_of_a_job_and_one_over_any_limit_are_413() throws IOException {
    String queue = freshQueue();
    String big = job(queue, ", \"args\": [\"" + "x".repeat(300_000) + "\"]");
    json("red").body(big).post(JOBS).then().spec(problem(413, "body-too-large"));
    assertThat(answerTo(17 * 1024 * 1024)).startsWith("HTTP/1.1 413").contains("body-too-large");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"nmae\": \"x\"| nmae| did you mean name",
        "\"preemptible\": \"yes\"| preemptible| true or false",
        "\"command\": \"run\"| command| a list",
        "\"command\": [1]| command[0]| text",
        "\"env\": {\"A\": 1}| env.A| text",
        "\"env\": {\"1A\": \"x\"}| env| letters",
        "\"env\": {\"SPILLWAY_X\": \"x\"}| env| Spillway sets",
        "\"secrets\": [{\"env\": \"A\"}]| secrets[0].secret| required",
        "\"framework\": \"tf\"| framework| single, pytorch-ddp",
        "\"network\": {\"rdma\": \"maybe\"}| network.rdma| none, preferred, required",
        "\"storage\": [{\"mountPath\": \"data\", \"volume\": \"v\"}]| storage[0].mountPath|"
            + " absolute",
        "\"storage\": [{\"mountPath\": \"/a/../etc\", \"volume\": \"v\"}]| storage[0].mountPath|"
            + " without ..",
        "\"storage\": [{\"mountPath\": \"/proc/x\", \"volume\": \"v\"}]| storage[0].mountPath|"
            + " system",
        "\"storage\": [{\"mountPath\": \"/a\", \"volume\": \"v\", \"weights\": \"w\"}]| storage[0]|"
            + " exactly one",
        "\"storage\": [{\"mountPath\": \"/a\", \"s3\": {}}]| storage[0].s3.bucket| required",
        "\"checkpoint\": {\"interval\": \"10\"}| checkpoint.interval| 90s",
        "\"checkpoint\": {}| checkpoint.interval| required",
        "\"timeout\": \"0s\"| timeout| more than zero",
        "\"timeout\": 60| timeout| text",
        "\"queueTtl\": \"99999d\"| queueTtl| ten years",
        "\"constraints\": {\"maxPricePerGpuHour\": \"1.23456\"}| constraints.maxPricePerGpuHour|"
            + " four decimals",
        "\"constraints\": {\"maxPricePerGpuHour\": -1}| constraints.maxPricePerGpuHour| four"
            + " decimals",
        "\"constraints\": {\"maxPricePerGpuHour\": 1e30}| constraints.maxPricePerGpuHour| four"
            + " decimals",
        "\"constraints\": {\"clusters\": [\"A B\"]}| constraints.clusters[0]| DNS label",
        "\"labels\": {\"a b\": \"x\"}| labels| label key",
        "\"labels\": {\"a\": \"x y\"}| labels.a| label value",
        "\"labels\": {\"spillway.io/x\": \"y\"}| labels| own domain",
        "\"identity\": \"Root\"| identity| DNS label",
        "\"deadline\": \"2026-12-02T00:00:00Z\"| deadline| not supported by this version",
        "\"expectedDuration\": \"6h\"| expectedDuration| not supported by this version",
        "\"stallTimeout\": \"20m\"| stallTimeout| not supported by this version",
        "\"array\": {\"size\": 3}| array| not supported by this version",
        "\"dependsOn\": [\"x\"]| dependsOn| not supported by this version"
      })
  void each_fault_is_told_with_its_field(String member, String field, String message) {
    json("red")
        .body(job("red-1", ", " + member))
        .post(JOBS)
        .then()
        .spec(problem(422, "invalid-job"))
        .body("errors.field", hasItem(field))
        .body("errors.message", hasItem(containsString(message)));
  }

  @Test
  void every_fault_is_told_at_once() {
    json("red")
        .body(
            "{\"name\": \"Not A Label\", \"queue\": 7, \"resources\": {\"gpus\": 1, \"nodes\": 0}}")
        .post(JOBS)
        .then()
        .spec(problem(422, "invalid-job"))
        .body(
            "errors.field",
            org.hamcrest.Matchers.containsInAnyOrder(
                "name", "queue", "image", "resources.gpu", "resources.nodes", "resources.gpus"));
  }

  @Test
  void an_unknown_gpu_model_is_answered_with_the_nearest_names() {
    json("red")
        .body(
            """
            {"name": "a", "queue": "red-1", "image": "a", "resources": {"gpu": ["nvidia-h100-80"]}}
            """)
        .post(JOBS)
        .then()
        .spec(problem(422, "invalid-job"))
        .body("errors[0].field", equalTo("resources.gpu[0]"))
        .body("errors[0].message", containsString("nvidia-h100-80gb"));
  }

  @Test
  void null_members_are_absent_ones() {
    json("red")
        .body(job(freshQueue(), ", \"deadline\": null, \"array\": null, \"dependsOn\": []"))
        .post(JOBS)
        .then()
        .statusCode(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'; drop table job; --",
        "$(rm -rf /)",
        "`id`",
        "a; shutdown",
        "../../etc/passwd",
        "<script>",
        "%s%n",
        "\\u0000",
        "\\ud800",
        "\\u202eevil",
        "\uD83D\uDE80"
      })
  void names_that_look_like_code_are_refused_wherever_a_name_is_asked(String evil) {
    String text = evil.startsWith("\\u") ? evil : evil.replace("\\", "\\\\");
    json("red")
        .body(
            """
            {"name": "%1$s", "queue": "%1$s", "image": "%1$s", "identity": "%1$s",
             "priorityClass": "%1$s", "imagePullSecrets": ["%1$s"],
             "resources": {"gpu": ["%1$s"]}, "constraints": {"regions": ["%1$s"]}}
            """
                .formatted(text))
        .post(JOBS)
        .then()
        .spec(problem(422, "invalid-job"))
        .body("errors.field", hasItem("name"));
  }

  @Test
  void text_for_the_program_is_kept_as_it_is_whatever_it_looks_like() {
    String queue = freshQueue();
    String text = "'; drop table job; -- $(id) `id` \uD83D\uDE80 \\\\ \\\" \\n";
    String id = Calls.submitted(queue, ", \"args\": [\"" + text + "\"]");
    as("red")
        .get(JOBS + "/" + id)
        .then()
        .body("detail.spec.args[0]", is("'; drop table job; -- $(id) `id` \uD83D\uDE80 \\ \" \n"));
    as("red").get(JOBS + "?queue=" + queue).then().body("items.size()", is(1));
  }

  @Test
  void bytes_at_random_get_a_problem_and_never_a_500() {
    long seed = RandomGenerator.getDefault().nextLong();
    RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed);
    byte[] valid = job("red-1").getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 300; round++) {
      byte[] body = mutated(valid.clone(), random);
      int status = as("blue").contentType("application/json").body(body).post(JOBS).statusCode();
      // blue owns no red queue, so that even what stays valid is not stored
      assertThat(status).as("seed %d round %d", seed, round).isIn(400, 403, 422);
    }
  }

  private static byte[] mutated(byte[] body, RandomGenerator random) {
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    return body;
  }

  /** Announces a body of that length and reads the answer without sending it. */
  private String answerTo(int length) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(20_000);
      String head =
          "POST /api/v1/jobs HTTP/1.1\r\nHost: spillway\r\nAuthorization: Bearer red-token\r\n"
              + "Content-Type: application/json\r\nConnection: close\r\nContent-Length: "
              + length
              + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
