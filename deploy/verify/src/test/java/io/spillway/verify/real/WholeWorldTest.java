package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.standalone.Installation;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole world from its packaged programs; skipped where they are not packaged. */
@Tag("real")
class WholeWorldTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path data;

  private static Map<String, Object> job(String name, String seconds) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", name);
    job.put("queue", "research");
    job.put("image", "registry.example/train:1");
    job.put("env", Map.of("SIM_RUN_SECONDS", seconds));
    job.put("resources", Map.of("nodes", 1, "gpusPerNode", 8, "gpu", List.of("nvidia-h100-80gb")));
    return job;
  }

  private static String submit(StandaloneWorld world, String name, String seconds)
      throws IOException, InterruptedException {
    return world
        .server(0)
        .api()
        .post("/api/v1/jobs", job(name, seconds), Map.of("Idempotency-Key", name))
        .ok()
        .path("id")
        .asText();
  }

  private static void awaitState(StandaloneWorld world, String job, String state) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(
            () ->
                world
                    .server(0)
                    .api()
                    .get("/api/v1/jobs/" + job)
                    .ok()
                    .path("state")
                    .asText()
                    .equals(state));
  }

  private static List<String> ledger(StandaloneWorld world, String job) throws IOException {
    ObjectMapper json = new ObjectMapper();
    return Files.readAllLines(world.clouds().ledger()).stream()
        .map(
            line -> {
              try {
                return json.readTree(line);
              } catch (IOException e) {
                throw new IllegalStateException(line, e);
              }
            })
        .filter(line -> line.path("attempt").asText().startsWith(job))
        .map(line -> attempt(line) + " " + line.path("event").asText())
        .toList();
  }

  private static String attempt(JsonNode line) {
    String id = line.path("attempt").asText();
    return id.substring(id.lastIndexOf('-') + 1);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void jobs_run_are_interrupted_and_fail_over_while_servers_and_the_launcher_come_and_go()
      throws Exception {
    assumeTrue(
        Installation.find().built(), "skipped: the programs are not packaged, run the build first");
    WorldPlan plan = WorldPlan.on(data);
    String moved;
    String kept;
    try (StandaloneWorld world = StandaloneWorld.open(plan)) {
      moved = submit(world, "moved", "40");
      awaitState(world, moved, "RUNNING");
      world.clouds().control().post("/interrupt?attempt=" + moved + "-1").ok();
      awaitState(world, moved, "RUNNING");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(ledger(world, moved))
                      .containsSubsequence("1 apply", "1 start", "1 end", "2 start"));
      kept = submit(world, "kept", "30");
      awaitState(world, kept, "RUNNING");
      world.killServer(0);
      world.startServer(0, Map.of());
      world.awaitReady(0);
      awaitState(world, kept, "RUNNING");
    }
    // The same data again: nothing is lost, nothing runs twice.
    try (StandaloneWorld world = StandaloneWorld.open(plan)) {
      awaitState(world, moved, "SUCCEEDED");
      awaitState(world, kept, "SUCCEEDED");
      // A loss of its idle node may be heard before its end: then a second attempt is placed and
      // stopped again, but never started.
      assertThat(ledger(world, kept))
          .startsWith("1 apply", "1 start", "1 end")
          .doesNotContain("2 start");
    }
  }
}
