package io.spillway.server.world;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** One real Kafka broker for all tests of this JVM, in this JVM. */
public final class TestBroker {
  private static final String SERVERS = "spillway.test.kafka.servers";

  private static KafkaClusterTestKit running;

  private TestBroker() {}

  /** Ends it, if it was started here: a broker that runs when the JVM ends makes it end badly. */
  public static void stop() throws Exception {
    synchronized (System.getProperties()) {
      if (running != null) {
        running.close();
        running = null;
        System.clearProperty(SERVERS);
      }
    }
  }

  /** Where it listens; starts it at the first call. */
  public static String bootstrapServers() {
    synchronized (System.getProperties()) {
      String servers = System.getProperty(SERVERS);
      return servers != null ? servers : start();
    }
  }

  public static void createTopics(Collection<NewTopic> topics) throws Exception {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()))) {
      admin.createTopics(topics).all().get();
    }
  }

  private static String start() {
    try {
      KafkaClusterTestKit kit =
          new KafkaClusterTestKit.Builder(
                  new TestKitNodes.Builder()
                      .setCombined(true)
                      .setNumBrokerNodes(1)
                      .setNumControllerNodes(1)
                      .build())
              .setConfigProp("offsets.topic.replication.factor", "1")
              .setConfigProp("offsets.topic.num.partitions", "1")
              .setConfigProp("group.initial.rebalance.delay.ms", "0")
              .setConfigProp("transaction.state.log.replication.factor", "1")
              .setConfigProp("transaction.state.log.min.isr", "1")
              .build();
      kit.format();
      kit.startup();
      kit.waitForReadyBrokers();
      running = kit;
      System.setProperty(SERVERS, kit.bootstrapServers());
      return kit.bootstrapServers();
    } catch (Exception e) {
      throw new IllegalStateException("the test broker did not start", e);
    }
  }
}
