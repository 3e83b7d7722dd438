package io.spillway.server.kafka;

import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.events.EventInputs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * One partition's part of a poll, read.
 *
 * @param notices inputs of the notice lane, which go first
 * @param others all other inputs, of one lane
 * @param dead what was not understood
 * @param end the offset after the last record
 */
record PartitionBatch(List<Input> notices, List<Input> others, List<Dead> dead, long end) {

  /** A record and why it was not understood. */
  record Dead(ConsumerRecord<String, String> record, String reason) {}

  /**
   * Reads the records from {@code from} on.
   *
   * @param counted called with each record's result, for metrics
   */
  static PartitionBatch read(
      List<ConsumerRecord<String, String>> records,
      long from,
      RecordReader reader,
      BiConsumer<ConsumerRecord<String, String>, String> counted) {
    List<Input> notices = new ArrayList<>();
    List<Input> others = new ArrayList<>();
    List<Dead> dead = new ArrayList<>();
    long end = from;
    for (ConsumerRecord<String, String> record : records) {
      if (record.offset() < from) {
        continue; // Delivered again after a rebalance; its rows are there.
      }
      end = record.offset() + 1;
      if (record.value() == null) {
        counted.accept(record, "tombstone");
        continue;
      }
      EventInputs read = reader.read(record.value(), Instant.ofEpochMilli(record.timestamp()));
      counted.accept(record, read.result());
      read.problem().ifPresent(reason -> dead.add(new Dead(record, reason)));
      read.inputs().forEach(input -> (input.lane() == Lane.NOTICES ? notices : others).add(input));
    }
    return new PartitionBatch(notices, others, dead, end);
  }
}
