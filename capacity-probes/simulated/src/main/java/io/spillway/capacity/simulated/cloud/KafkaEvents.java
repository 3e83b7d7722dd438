package io.spillway.capacity.simulated.cloud;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Sends events to Kafka from a thread of its own, since a producer without a broker blocks its
 * caller. Events wait in memory while there is no broker, at most {@value #MOST_WAITING}; then the
 * newest are dropped, as an event service does.
 */
public final class KafkaEvents implements EventSink {
  private static final Logger LOG = Logger.getLogger(KafkaEvents.class.getName());
  private static final int MOST_WAITING = 100_000;

  private final LinkedBlockingQueue<Event> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
  private final KafkaProducer<String, String> producer;
  private final Thread sender;

  public KafkaEvents(String bootstrapServers) {
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "all",
                "linger.ms",
                "0",
                "client.id",
                "simulated-clouds"),
            new StringSerializer(),
            new StringSerializer());
    this.sender = Thread.ofPlatform().daemon().name("clouds-events").start(this::run);
  }

  @Override
  public void send(String topic, String key, String json) {
    if (!waiting.offer(new Event(topic, key, json))) {
      LOG.warning("too many events wait for the broker; one is dropped");
    }
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Event event = waiting.take();
        ProducerRecord<String, String> record =
            new ProducerRecord<>(event.topic, event.key, event.json);
        record.headers().add("content-type", "application/json".getBytes(StandardCharsets.UTF_8));
        var _ =
            producer.send(
                record,
                (metadata, failure) -> {
                  if (failure != null) {
                    LOG.log(
                        Level.WARNING, "an event for " + event.topic + " was not sent", failure);
                  }
                });
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "an event was not sent", e);
      }
    }
  }

  @Override
  public void close() {
    sender.interrupt();
    producer.close(Duration.ofSeconds(2));
  }

  private record Event(String topic, String key, String json) {}
}
