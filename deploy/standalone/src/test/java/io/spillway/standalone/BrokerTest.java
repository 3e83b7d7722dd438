package io.spillway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerTest {
  /** Held, so that its level stays: hundreds of lines of settings tell nobody anything. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private static final String TOPIC = "spillway.capacity-notices";

  @TempDir Path directory;

  static {
    KAFKA.setLevel(Level.SEVERE);
  }

  private Broker broker(Watchdog dog) {
    return new Broker(
        directory.resolve("kafka"), directory.resolve("run"), 0, Installation.find().topics(), dog);
  }

  @Test
  void records_and_topics_are_there_again_after_the_broker_was_killed() throws Exception {
    try (Watchdog dog = new Watchdog()) {
      Broker first = broker(dog);
      try (KafkaProducer<String, String> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", first.bootstrapServers(), "acks", "all"),
              new StringSerializer(),
              new StringSerializer())) {
        producer.send(new ProducerRecord<>(TOPIC, 0, "i-0", "notice")).get();
      }
      first.process().kill();
      try (Broker again = broker(dog)) {
        assertThat(read(again)).containsExactly("notice");
      }
    }
  }

  private static List<String> read(Broker broker) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(TOPIC, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      List<String> values = new ArrayList<>();
      Instant deadline = Instant.now().plusSeconds(30);
      while (values.isEmpty() && Instant.now().isBefore(deadline)) {
        consumer.poll(Duration.ofMillis(500)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }
}
