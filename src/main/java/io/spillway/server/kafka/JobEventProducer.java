package io.spillway.server.kafka;

import io.smallrye.common.annotation.Identifier;
import io.spillway.server.kafka.JobCloudEvents.JobRecord;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes job events to their topic. A client of its own and no messaging channel: a channel wraps
 * each record in a message with contexts of its own, which cost more than all the rest of telling
 * it (docs/decisions/0015). Made at the first use; one thread.
 */
@ApplicationScoped
class JobEventProducer {
  private static final String TOPIC = "spillway.job-events";

  /** After that a record counts as not sent, and the relay begins again at its cursor. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Map<String, Object> configuration;
  private Producer<String, String> producer;

  JobEventProducer(@Identifier("default-kafka-broker") Map<String, Object> configuration) {
    this.configuration = configuration;
  }

  /**
   * Sends in this order and waits for the broker's acknowledgement of all.
   *
   * @throws KafkaException if one was not acknowledged in time; any of them may have arrived
   */
  // The flush waits for what each send returns.
  @SuppressWarnings("FutureReturnValueIgnored")
  void send(List<JobRecord> records) {
    if (records.isEmpty()) {
      return;
    }
    AtomicReference<Exception> failure = new AtomicReference<>();
    Producer<String, String> to = producer();
    for (JobRecord job : records) {
      to.send(
          new ProducerRecord<>(TOPIC, job.jobId(), job.json()),
          (metadata, refused) -> failure.compareAndSet(null, refused));
    }
    to.flush();
    if (failure.get() != null) {
      throw new KafkaException("job events were not sent", failure.get());
    }
  }

  @PreDestroy
  synchronized void close() {
    if (producer != null) {
      producer.close(Duration.ofSeconds(1));
    }
  }

  private synchronized Producer<String, String> producer() {
    if (producer == null) {
      Map<String, Object> settings = new HashMap<>(configuration);
      settings.put(ProducerConfig.ACKS_CONFIG, "all");
      settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
      settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
      settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis());
      settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 2);
      settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
      settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "job-events");
      producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }
    return producer;
  }
}
