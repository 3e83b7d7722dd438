package io.spillway.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.server.inbox.Inbox.OffsetMove;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ConsumerOffsetsTest {
  private final TopicPartition partition = new TopicPartition("t-" + UUID.randomUUID(), 0);
  private final MockConsumer<String, String> consumer = new MockConsumer<>("earliest");

  @Inject Pool pool;

  @Test
  void a_partition_goes_on_where_the_store_says() {
    stored(70);
    ConsumerOffsets offsets = assigned(100);
    assertThat(consumer.position(partition)).isEqualTo(70);
    assertThat(offsets.moveTo(partition, 90)).isEqualTo(move(70, 90));
  }

  @Test
  void a_topic_that_was_made_anew_is_read_from_its_beginning() {
    stored(1_000_000);
    ConsumerOffsets offsets = assigned(3);
    assertThat(consumer.position(partition)).isZero();
    assertThat(offsets.next(partition)).as("nothing of it is in the store").isZero();
    OffsetMove first = offsets.moveTo(partition, 3);
    assertThat(first).as("the store's place is replaced").isEqualTo(move(1_000_000, 3));
    offsets.moved(first);
    assertThat(offsets.moveTo(partition, 5)).isEqualTo(move(3, 5));
  }

  private ConsumerOffsets assigned(long end) {
    consumer.assign(List.of(partition));
    consumer.updateBeginningOffsets(Map.of(partition, 0L));
    consumer.updateEndOffsets(Map.of(partition, end));
    ConsumerOffsets offsets = new ConsumerOffsets(pool);
    offsets.onPartitionsAssigned(consumer, List.of(partition));
    return offsets;
  }

  private OffsetMove move(long from, long to) {
    return new OffsetMove(partition.topic(), 0, from, to);
  }

  private void stored(long offset) {
    pool.preparedQuery(
            "insert into consumer_offset (topic, partition, next_offset) values ($1, 0, $2)")
        .execute(Tuple.of(partition.topic(), offset))
        .await()
        .atMost(Duration.ofSeconds(10));
  }
}
