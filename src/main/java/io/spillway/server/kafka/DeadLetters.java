package io.spillway.server.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.MutinyEmitter;
import io.smallrye.reactive.messaging.kafka.api.OutgoingKafkaRecordMetadata;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/** Keeps what could not be understood, with the reason in headers, in {@code <topic>.dlq}. */
@ApplicationScoped
public class DeadLetters {
  private static final Logger LOG = Logger.getLogger(DeadLetters.class);

  private final MutinyEmitter<String> emitter;
  private final MeterRegistry metrics;

  @Inject
  DeadLetters(@Channel("dead-letters") MutinyEmitter<String> emitter, MeterRegistry metrics) {
    this.emitter = emitter;
    this.metrics = metrics;
  }

  /** Completes once the broker has it. */
  Uni<Void> keep(ConsumerRecord<String, String> record, String reason) {
    metrics.counter("spillway.dead.letters", "topic", record.topic()).increment();
    LOG.warnf(
        "topic=%s partition=%d offset=%d dead letter: %s",
        record.topic(), record.partition(), record.offset(), reason);
    Headers headers = new RecordHeaders();
    header(headers, "dead-letter-reason", reason);
    header(headers, "dead-letter-topic", record.topic());
    header(headers, "dead-letter-partition", Integer.toString(record.partition()));
    header(headers, "dead-letter-offset", Long.toString(record.offset()));
    OutgoingKafkaRecordMetadata<String> target =
        OutgoingKafkaRecordMetadata.<String>builder()
            .withTopic(record.topic() + ".dlq")
            .withKey(record.key())
            .withHeaders(headers)
            .build();
    String value = record.value() == null ? "" : record.value();
    return emitter.sendMessage(Message.of(value).addMetadata(target));
  }

  private static void header(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
