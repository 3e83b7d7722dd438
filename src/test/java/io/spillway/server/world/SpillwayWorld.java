package io.spillway.server.world;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The one world of all {@code @QuarkusTest}s: a real database and a real broker. Tests isolate
 * themselves by fresh ids (queues, clusters, jobs), never by truncation. Being global, it needs no
 * mention on a test.
 */
@WithTestResource(value = SpillwayWorld.class, scope = TestResourceScope.GLOBAL)
public final class SpillwayWorld implements QuarkusTestResourceLifecycleManager {
  private static final List<String> TOPICS =
      List.of(
          "spillway.capacity-notices",
          "spillway.capacity-events",
          "spillway.observations",
          "spillway.job-events",
          "spillway.capacity-notices.dlq",
          "spillway.capacity-events.dlq",
          "spillway.observations.dlq");

  @Override
  public Map<String, String> start() {
    String database = TestPostgres.freshDatabase();
    try {
      TestBroker.createTopics(
          TOPICS.stream().map(topic -> new NewTopic(topic, 2, (short) 1)).toList());
    } catch (Exception e) {
      throw new IllegalStateException("cannot create the topics", e);
    }
    return Map.of(
        "quarkus.datasource.jdbc.url",
        TestPostgres.jdbcUrl(database),
        "quarkus.datasource.reactive.url",
        TestPostgres.uri(database),
        "quarkus.datasource.username",
        TestPostgres.USER,
        "quarkus.datasource.password",
        TestPostgres.PASSWORD,
        "kafka.bootstrap.servers",
        TestBroker.bootstrapServers(),
        "quarkus.http.test-port",
        "0",
        "quarkus.management.test-port",
        "0");
  }

  @Override
  public void stop() {
    try {
      TestBroker.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the test broker did not stop", e);
    }
  }
}
