package io.spillway.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.inbox.Submissions;
import io.spillway.server.world.Orders;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
class KafkaEdgeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int NOTICES = 0;
  private static final int REPORTS = 1;

  @Inject Pool pool;
  @Inject Submissions submissions;
  @Inject JobEventProducer producer;

  @ConfigProperty(name = "kafka.bootstrap.servers")
  String brokers;

  private final String instance = "i-" + UUID.randomUUID();

  @Test
  void an_interruption_becomes_an_input_of_the_notice_lane_and_moves_the_offset() {
    send("spillway.capacity-notices", warning(instance));

    await().atMost(PATIENCE).until(() -> lanes(instance).equals(List.of(NOTICES)));
    // The notices are durable first, the offset follows in a transaction of its own.
    await().atMost(PATIENCE).until(() -> offset("spillway.capacity-notices") > 0);
  }

  @Test
  void KAR_15_a_notice_among_other_events_goes_into_the_notice_lane() {
    for (int i = 0; i < 50; i++) {
      send("spillway.capacity-events", failure("us-east-2-" + instance));
    }
    send("spillway.capacity-events", warning(instance));

    await().atMost(PATIENCE).until(() -> lanes(instance).contains(NOTICES));
    await().atMost(PATIENCE).until(() -> lanes("us-east-2-" + instance).contains(REPORTS));
  }

  @Test
  void KAR_16_an_event_that_nobody_understands_is_kept_with_its_reason() {
    String odd = "{\"odd\":\"" + instance + "\"}";
    send("spillway.capacity-events", odd);

    ConsumerRecord<String, String> letter = find("spillway.capacity-events.dlq", odd);

    assertThat(header(letter, "dead-letter-reason"))
        .isEqualTo("no provider module knows this event");
    assertThat(header(letter, "dead-letter-topic")).isEqualTo("spillway.capacity-events");
  }

  @Test
  void hostile_records_end_in_the_dead_letters_and_stop_nothing() {
    for (String hostile :
        List.of(
            "", "null", "[".repeat(5_000), "'; drop table job; --", "\u0000\uffff", "{\"a\":")) {
      send("spillway.capacity-notices", hostile + " ".repeat(3));
    }
    send("spillway.capacity-notices", warning(instance));

    await().atMost(PATIENCE).until(() -> lanes(instance).contains(NOTICES));
  }

  @Test
  void a_submitted_job_is_told_as_a_cloud_event_keyed_by_its_id() {
    JobId job = Orders.freshId();
    submissions
        .submit(List.of(Orders.job(job, "nobody", Optional.empty(), "body")))
        .await()
        .atMost(PATIENCE);

    ConsumerRecord<String, String> told = find("spillway.job-events", job.value());

    assertThat(told.key()).isEqualTo(job.value());
    assertThat(told.value())
        .contains("\"specversion\":\"1.0\"", "\"type\":\"io.spillway.job.submitted\"");
  }

  @Test
  void a_commit_of_many_events_is_told_whole_and_in_order() {
    String job = Orders.freshId().value();
    List<JobCloudEvents.JobRecord> records =
        IntStream.range(0, 5_000)
            .mapToObj(n -> new JobCloudEvents.JobRecord(job, "many-" + job + "-" + n))
            .toList();

    producer.send(records);

    assertThat(findAll("spillway.job-events", "many-" + job, records.size()))
        .isEqualTo(records.stream().map(JobCloudEvents.JobRecord::json).toList());
  }

  private long offset(String topic) {
    return pool.preparedQuery(
            "select coalesce(sum(next_offset), 0)::bigint from consumer_offset where topic = $1")
        .execute(Tuple.of(topic))
        .await()
        .atMost(PATIENCE)
        .iterator()
        .next()
        .getLong(0);
  }

  private List<Integer> lanes(String text) {
    List<Integer> lanes = new ArrayList<>();
    for (Row row :
        pool.preparedQuery("select lane from inbox where payload like '%' || $1 || '%'")
            .execute(Tuple.of(text))
            .await()
            .atMost(PATIENCE)) {
      lanes.add(row.getInteger(0));
    }
    return lanes;
  }

  // The flush waits for it.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void send(String topic, String value) {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(client())) {
      producer.send(new ProducerRecord<>(topic, "key", value));
      producer.flush();
    }
  }

  private ConsumerRecord<String, String> find(String topic, String text) {
    return records(topic, text, 1).getFirst();
  }

  private List<String> findAll(String topic, String text, int count) {
    return records(topic, text, count).stream().map(ConsumerRecord::value).toList();
  }

  private List<ConsumerRecord<String, String>> records(String topic, String text, int count) {
    List<ConsumerRecord<String, String>> found = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(client())) {
      consumer.subscribe(List.of(topic));
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                for (ConsumerRecord<String, String> record :
                    consumer.poll(Duration.ofMillis(200))) {
                  if (record.value().contains(text)) {
                    found.add(record);
                  }
                }
                return found.size() >= count;
              });
    }
    return found;
  }

  private Properties client() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", brokers);
    properties.put("group.id", UUID.randomUUID().toString());
    properties.put("auto.offset.reset", "earliest");
    for (String part : List.of("key", "value")) {
      properties.put(
          part + ".serializer", "org.apache.kafka.common.serialization.StringSerializer");
      properties.put(
          part + ".deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    }
    return properties;
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static String warning(String instance) {
    return event(
        "aws.ec2",
        "EC2 Spot Instance Interruption Warning",
        "{\"instance-id\":\"" + instance + "\",\"instance-action\":\"terminate\"}");
  }

  private static String failure(String zone) {
    return event(
        "aws.ec2",
        "AWS API Call via CloudTrail",
        "{\"eventName\":\"RunInstances\",\"errorCode\":\"InsufficientInstanceCapacity\","
            + "\"requestParameters\":{\"instanceType\":\"p5.48xlarge\",\"availabilityZone\":\""
            + zone
            + "\"}}");
  }

  private static String event(String source, String type, String detail) {
    return ("{\"version\":\"0\",\"id\":\"%s\",\"detail-type\":\"%s\",\"source\":\"%s\",\"account\":"
            + "\"210987654321\",\"time\":\"%s\",\"region\":\"us-east-2\",\"resources\":[],"
            + "\"detail\":%s}")
        .formatted(UUID.randomUUID(), type, source, Instant.now(), detail);
  }
}
