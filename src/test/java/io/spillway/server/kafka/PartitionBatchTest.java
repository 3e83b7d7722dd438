package io.spillway.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput.FailureObserved;
import io.spillway.scheduler.input.MarketInput.NoticeReceived;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.server.events.EventInputs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PartitionBatchTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

  private final List<String> results = new ArrayList<>();

  @Test
  void KAR_15_notices_behind_thousands_of_other_events_are_lifted_out_of_the_poll() {
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      records.add(record(i, "failure"));
    }
    records.add(record(5_000, "notice"));

    PartitionBatch batch = read(records, 0);

    assertThat(batch.notices()).hasSize(1);
    assertThat(batch.others()).hasSize(5_000);
    assertThat(batch.end()).isEqualTo(5_001);
  }

  @Test
  void records_before_the_stored_offset_bring_nothing_again() {
    PartitionBatch batch = read(List.of(record(7, "failure"), record(8, "failure")), 8);

    assertThat(batch.others()).hasSize(1);
    assertThat(batch.end()).isEqualTo(9);
  }

  @Test
  void a_poll_of_old_records_only_moves_nothing() {
    assertThat(read(List.of(record(3, "failure")), 8).end()).isEqualTo(8);
  }

  @Test
  void what_is_not_understood_is_kept_with_its_reason_and_passed() {
    PartitionBatch batch = read(List.of(record(0, "nonsense"), record(1, "failure")), 0);

    assertThat(batch.dead()).hasSize(1);
    assertThat(batch.dead().getFirst().reason()).isEqualTo("not understood");
    assertThat(batch.others()).hasSize(1);
    assertThat(batch.end()).isEqualTo(2);
  }

  @Test
  void a_tombstone_is_counted_and_passed() {
    PartitionBatch batch = read(List.of(record(0, null)), 0);

    assertThat(batch.end()).isEqualTo(1);
    assertThat(results).containsExactly("tombstone");
  }

  private PartitionBatch read(List<ConsumerRecord<String, String>> records, long from) {
    return PartitionBatch.read(
        records, from, PartitionBatchTest::reader, (record, result) -> results.add(result));
  }

  private static EventInputs reader(String value, Instant at) {
    return switch (value) {
      case "notice" -> inputs("notice", new NoticeReceived(notice()));
      case "failure" -> inputs("failure", new FailureObserved(failure()));
      default -> new EventInputs(List.of(), "malformed", Optional.of("not understood"));
    };
  }

  private static EventInputs inputs(String result, Input input) {
    return new EventInputs(List.of(input), result, Optional.empty());
  }

  private static CapacityNotice notice() {
    return new CapacityNotice(
        "n",
        "aws",
        "prod",
        "us-east-2",
        CapacityNotice.Kind.INTERRUPTION,
        List.of("i-1"),
        Optional.empty(),
        NOW,
        Optional.of(NOW.plusSeconds(120)));
  }

  private static CapacityFailure failure() {
    BlockScope account =
        new BlockScope(
            "aws",
            "prod",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            BlockScope.Reserved.INCLUDED);
    return new CapacityFailure(FailureClass.QUOTA, account, Duration.ofMinutes(10), "x", NOW);
  }

  private static ConsumerRecord<String, String> record(long offset, String value) {
    return new ConsumerRecord<>("spillway.capacity-events", 0, offset, "key", value);
  }
}
