package io.spillway.benchmark.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Submits without waiting for answers; what is not accepted is counted and the first told. */
final class Submitter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int OVERLOADED = 503;
  private static final String OVERLOADED_ITEM = "\"status\":503";
  private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;
  private final String token;
  private final JobEvents events;
  private final String run = UUID.randomUUID().toString();
  private final AtomicInteger keys = new AtomicInteger();
  private final AtomicInteger sentAgain = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicReference<String> firstRefusal = new AtomicReference<>("");

  Submitter(int port, String token, JobEvents events) {
    this.base = URI.create("http://127.0.0.1:" + port + "/api/v1/");
    this.token = token;
    this.events = events;
  }

  /** One job in one call. */
  CompletableFuture<Course> submit(Load load) {
    Course course = new Course(load.kind());
    course.submittedAt = System.currentTimeMillis();
    HttpRequest request = request("jobs", load.json()).header("Idempotency-Key", nextKey()).build();
    return send(request)
        .handle(
            (answer, failure) -> {
              course.answeredAt = System.currentTimeMillis();
              if (failure != null) {
                refuse(String.valueOf(failure));
              } else if (accepted(answer.statusCode())) {
                String location = answer.headers().firstValue("Location").orElse("");
                events.follow(location.substring(location.lastIndexOf('/') + 1), course);
              } else {
                refuse(answer.statusCode() + " " + answer.body());
              }
              return course;
            });
  }

  /** Many jobs in one call, at most 1,000. */
  CompletableFuture<List<Course>> submit(List<Load> loads) {
    StringBuilder body = new StringBuilder(loads.size() * 256).append("{\"items\":[");
    List<Course> courses = new ArrayList<>(loads.size());
    for (Load load : loads) {
      body.append(courses.isEmpty() ? "" : ",")
          .append("{\"idempotencyKey\":\"")
          .append(nextKey())
          .append("\",\"job\":")
          .append(load.json())
          .append('}');
      Course course = new Course(load.kind());
      course.submittedAt = System.currentTimeMillis();
      courses.add(course);
    }
    return send(request("jobs:batch", body.append("]}").toString()).build())
        .handle(
            (answer, failure) -> {
              long now = System.currentTimeMillis();
              courses.forEach(course -> course.answeredAt = now);
              if (failure != null) {
                refuse(String.valueOf(failure));
              } else {
                accept(answer, courses);
              }
              return courses;
            });
  }

  /** Comes again, with the same keys, when the server says that it has too much to do. */
  private CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenCompose(
            answer -> {
              if (answer.statusCode() != OVERLOADED && !answer.body().contains(OVERLOADED_ITEM)) {
                return CompletableFuture.completedFuture(answer);
              }
              sentAgain.incrementAndGet();
              return CompletableFuture.supplyAsync(() -> request, LATER).thenCompose(this::send);
            });
  }

  private void accept(HttpResponse<String> answer, List<Course> courses) {
    try {
      if (answer.statusCode() != OK) {
        refuse(answer.statusCode() + " " + answer.body());
        return;
      }
      for (JsonNode item : JSON.readTree(answer.body()).path("items")) {
        if (accepted(item.path("status").asInt())) {
          events.follow(
              item.path("job").path("id").asText(), courses.get(item.path("index").asInt()));
        } else {
          refuse(item.toString());
        }
      }
    } catch (IOException e) {
      refuse(e.getMessage());
    }
  }

  /** 200 is the answer to a key that was accepted before. */
  private static boolean accepted(int status) {
    return status == OK || status == CREATED;
  }

  /** Calls that were sent again because the server had too much to do; 0 in a good run. */
  int sentAgain() {
    return sentAgain.get();
  }

  private void refuse(String what) {
    refused.incrementAndGet();
    firstRefusal.compareAndSet("", what);
  }

  /** Ends the measurement if anything was refused: its figures would tell of less work. */
  void check() throws IOException {
    if (refused.get() > 0) {
      throw new IOException(refused.get() + " submissions refused, first: " + firstRefusal.get());
    }
  }

  private String nextKey() {
    return run + '-' + keys.incrementAndGet();
  }

  private HttpRequest.Builder request(String path, String body) {
    return HttpRequest.newBuilder(base.resolve("./" + path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }
}
