package io.spillway.server.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaRecordBatch;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.events.EventInputs;
import io.spillway.server.events.EventReader;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.Inbox.OffsetMove;
import io.spillway.server.inbox.Inbox.OffsetMoved;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.loop.CrashPoints;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jboss.logging.Logger;

/**
 * Takes polls of the inbound topics. Of each partition the notices go first, into their own lane;
 * then everything else with the move of the offset, in one transaction. A crash in between delivers
 * the notices again, which changes nothing: notices are known by their id.
 */
@ApplicationScoped
public class InboundTopics {
  private static final Logger LOG = Logger.getLogger(InboundTopics.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final Duration LAST_RETRY = Duration.ofSeconds(5);

  private final ConsumerOffsets offsets;
  private final EventReader events;
  private final ObservationRecords observations = new ObservationRecords();
  private final DeadLetters deadLetters;
  private final Inbox inbox;
  private final MeterRegistry metrics;

  @Inject
  InboundTopics(
      @Identifier("spillway-offsets") ConsumerOffsets offsets,
      EventReader events,
      DeadLetters deadLetters,
      Inbox inbox,
      MeterRegistry metrics) {
    this.offsets = offsets;
    this.events = events;
    this.deadLetters = deadLetters;
    this.inbox = inbox;
    this.metrics = metrics;
  }

  @Incoming("capacity-notices")
  Uni<Void> notices(KafkaRecordBatch<String, String> batch) {
    return take(batch, this::event, Lane.REPORTS);
  }

  @Incoming("capacity-events")
  Uni<Void> events(KafkaRecordBatch<String, String> batch) {
    return take(batch, this::event, Lane.REPORTS);
  }

  @Incoming("observations")
  Uni<Void> observations(KafkaRecordBatch<String, String> batch) {
    return take(batch, observations, Lane.OBSERVATIONS);
  }

  private EventInputs event(String json, java.time.Instant receivedAt) {
    return EventInputs.of(events.read(json, receivedAt));
  }

  private Uni<Void> take(KafkaRecordBatch<String, String> batch, RecordReader reader, Lane lane) {
    List<Uni<Void>> parts = new ArrayList<>();
    for (Map.Entry<TopicPartition, List<ConsumerRecord<String, String>>> part :
        byPartition(batch).entrySet()) {
      parts.add(takePartition(part.getKey(), part.getValue(), reader, lane));
    }
    return Uni.join().all(parts).andCollectFailures().replaceWithVoid();
  }

  private static Map<TopicPartition, List<ConsumerRecord<String, String>>> byPartition(
      KafkaRecordBatch<String, String> batch) {
    Map<TopicPartition, List<ConsumerRecord<String, String>>> parts =
        new java.util.LinkedHashMap<>();
    @SuppressWarnings("unchecked")
    ConsumerRecords<String, String> records =
        batch
            .getMetadata(
                io.smallrye.reactive.messaging.kafka.api.IncomingKafkaRecordBatchMetadata.class)
            .orElseThrow()
            .getRecords();
    for (TopicPartition partition : records.partitions()) {
      parts.put(partition, records.records(partition));
    }
    return parts;
  }

  private Uni<Void> takePartition(
      TopicPartition partition,
      List<ConsumerRecord<String, String>> records,
      RecordReader reader,
      Lane lane) {
    PartitionBatch read =
        PartitionBatch.read(records, offsets.next(partition), reader, this::count);
    if (read.end() <= offsets.next(partition)) {
      return Uni.createFrom().voidItem();
    }
    OffsetMove move = offsets.moveTo(partition, read.end());
    String actor = "kafka:" + partition.topic();
    return until(() -> append(Lane.NOTICES, actor, read.notices()))
        .chain(() -> until(() -> keep(read.dead())))
        .chain(() -> until(() -> inbox.appendFrom(lane, actor, read.others(), move)))
        .invoke(
            () -> {
              offsets.moved(move);
              CrashPoints.reached(CrashPoint.KAFKA_CONSUMED);
            })
        .replaceWithVoid()
        .onFailure(OffsetMoved.class)
        .recoverWithUni(
            lost -> {
              LOG.infof("partition=%s is another consumer's now: %s", partition, lost.getMessage());
              return Uni.createFrom().voidItem();
            });
  }

  private Uni<?> append(Lane lane, String actor, List<Input> inputs) {
    return inputs.isEmpty() ? Uni.createFrom().voidItem() : inbox.append(lane, actor, inputs);
  }

  private Uni<Void> keep(List<PartitionBatch.Dead> dead) {
    Uni<Void> kept = Uni.createFrom().voidItem();
    for (PartitionBatch.Dead letter : dead) {
      kept = kept.chain(() -> deadLetters.keep(letter.record(), letter.reason()));
    }
    return kept;
  }

  /** Tries again for as long as the store or the broker is away; the poll waits meanwhile. */
  private static <T> Uni<T> until(java.util.function.Supplier<Uni<? extends T>> step) {
    return Uni.createFrom()
        .<T>deferred(() -> step.get().map(item -> (T) item))
        .onFailure(failure -> !(failure instanceof OffsetMoved))
        .invoke(failure -> LOG.warnf("taking a poll waits: %s", failure.getMessage()))
        .onFailure(failure -> !(failure instanceof OffsetMoved))
        .retry()
        .withBackOff(FIRST_RETRY, LAST_RETRY)
        .indefinitely();
  }

  private void count(ConsumerRecord<String, String> record, String result) {
    metrics
        .counter("spillway.events.consumed", "source", record.topic(), "result", result)
        .increment();
  }
}
