package io.spillway.server.kafka;

import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import io.spillway.server.inbox.Inbox.OffsetMove;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Where each assigned partition goes on, by the store's word. On assignment the consumer is sought
 * to the stored offset; a partition never seen begins at its start.
 */
@ApplicationScoped
@Identifier("spillway-offsets")
public class ConsumerOffsets implements KafkaConsumerRebalanceListener {
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

  private final Pool pool;
  private final Map<TopicPartition, Long> next = new ConcurrentHashMap<>();

  @Inject
  ConsumerOffsets(Pool pool) {
    this.pool = pool;
  }

  /** Runs on the polling thread, which waits: nothing is fetched before the place is known. */
  @Override
  public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      long stored = stored(partition);
      next.put(partition, stored);
      consumer.seek(partition, stored);
    }
  }

  @Override
  public void onPartitionsRevoked(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    partitions.forEach(next::remove);
  }

  /** The first offset that is not in the store yet. */
  long next(TopicPartition partition) {
    return next.getOrDefault(partition, 0L);
  }

  /** A move to be made in the rows' transaction. */
  OffsetMove moveTo(TopicPartition partition, long to) {
    return new OffsetMove(partition.topic(), partition.partition(), next(partition), to);
  }

  void moved(OffsetMove move) {
    next.put(new TopicPartition(move.topic(), move.partition()), move.to());
  }

  private long stored(TopicPartition partition) {
    // By primary key.
    RowSet<Row> rows =
        pool.preparedQuery(
                "select next_offset from consumer_offset where topic = $1 and partition = $2")
            .execute(Tuple.of(partition.topic(), partition.partition()))
            .await()
            .atMost(READ_TIMEOUT);
    return rows.size() == 0 ? 0L : rows.iterator().next().getLong(0);
  }
}
