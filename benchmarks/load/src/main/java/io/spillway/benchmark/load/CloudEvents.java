package io.spillway.benchmark.load;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Plays the providers' event pipelines. */
final class CloudEvents implements AutoCloseable {
  private static final String NOTICES = "spillway.capacity-notices";
  private static final String OTHERS = "spillway.capacity-events";

  private final KafkaProducer<String, String> producer;

  CloudEvents(String bootstrapServers) {
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                0),
            new StringSerializer(),
            new StringSerializer());
  }

  /**
   * Tells that a spot instance is going or gone.
   *
   * @param kind {@code interruption} or {@code loss}
   * @param atMillis the timestamp of event and record
   */
  void tell(String kind, String instance, long atMillis) {
    Instant now = Instant.ofEpochMilli(atMillis);
    String json =
        "{\"specversion\":\"1.0\",\"id\":\""
            + UUID.randomUUID()
            + "\",\"source\":\"/cloud/nebius\",\"type\":\"io.spillway.capacity."
            + kind
            + "\",\"time\":\""
            + now
            + "\",\"data\":{\"provider\":\"nebius\",\"account\":\"load-nebius\",\"region\":\"eu-north1\","
            + "\"instances\":[\""
            + instance
            + "\"],\"deadline\":\""
            + now.plusSeconds(60)
            + "\"}}";
    send(new ProducerRecord<>(NOTICES, null, atMillis, instance, json));
  }

  /**
   * What a large account's bus carries besides: state changes of instances that Spillway has
   * nothing to do with, which end at the edge, and in turn with them refusals of capacity somewhere
   * else, which the loop must take. Returns once stored.
   */
  void others(int count) {
    String time = Instant.now().toString();
    for (int i = 0; i < count; i++) {
      String id = UUID.randomUUID().toString();
      String instance = "i-0" + id.substring(0, 8) + id.substring(9, 13) + id.substring(14, 18);
      String json = i % 2 == 0 ? stateChange(id, instance, time) : refusal(id, time);
      send(new ProducerRecord<>(OTHERS, instance, json));
    }
    producer.flush();
  }

  private static String stateChange(String id, String instance, String time) {
    return "{\"version\":\"0\",\"id\":\""
        + id
        + "\",\"detail-type\":\"EC2 Instance State-change Notification\","
        + "\"source\":\"aws.ec2\",\"account\":\"210987654321\",\"time\":\""
        + time
        + "\",\"region\":\"us-east-2\",\"resources\":[\"arn:aws:ec2:us-east-2:210987654321:instance/"
        + instance
        + "\"],\"detail\":{\"instance-id\":\""
        + instance
        + "\",\"state\":\"running\"}}";
  }

  private static String refusal(String id, String time) {
    return "{\"specversion\":\"1.0\",\"id\":\""
        + id
        + "\",\"source\":\"/cloud/aws\",\"type\":\"io.spillway.capacity.failure\",\"time\":\""
        + time
        + "\",\"data\":{\"provider\":\"aws\",\"account\":\"elsewhere\",\"region\":\"eu-west-1\","
        + "\"zone\":\"euw1-az1\",\"instanceType\":\"p5.48xlarge\",\"capacityType\":\"spot\","
        + "\"code\":\"InsufficientInstanceCapacity\",\"message\":\"\"}}";
  }

  /** What is lost shows: its failover never comes. */
  private void send(ProducerRecord<String, String> record) {
    var _ = producer.send(record);
  }

  @Override
  public void close() {
    producer.close();
  }
}
