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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Where each assigned partition goes on, by the store's word. On assignment the consumer is sought
 * to the stored offset; a partition never seen begins at its start.
 */
@ApplicationScoped
@Identifier("spillway-offsets")
public class ConsumerOffsets implements KafkaConsumerRebalanceListener {
  private static final Logger LOG = Logger.getLogger(ConsumerOffsets.class);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

  private final Pool pool;
  private final Map<TopicPartition, Long> next = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> inStore = new ConcurrentHashMap<>();

  @Inject
  ConsumerOffsets(Pool pool) {
    this.pool = pool;
  }

  /** Runs on the polling thread, which waits: nothing is fetched before the place is known. */
  @Override
  public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      long stored = stored(partition);
      long from = isOfAnother(consumer, partition, stored) ? 0 : stored;
      inStore.put(partition, stored);
      next.put(partition, from);
      consumer.seek(partition, from);
    }
  }

  @Override
  public void onPartitionsRevoked(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    partitions.forEach(next::remove);
    partitions.forEach(inStore::remove);
  }

  /** The first offset that is not in the store yet. */
  long next(TopicPartition partition) {
    return next.getOrDefault(partition, 0L);
  }

  /** A move to be made in the rows' transaction. */
  OffsetMove moveTo(TopicPartition partition, long to) {
    return new OffsetMove(
        partition.topic(), partition.partition(), inStore.getOrDefault(partition, 0L), to);
  }

  void moved(OffsetMove move) {
    TopicPartition partition = new TopicPartition(move.topic(), move.partition());
    inStore.put(partition, move.to());
    next.put(partition, move.to());
  }

  /**
   * Whether the topic ends before the place that is stored: it was made anew, or the broker is
   * another. What it holds would be taken for old until it has grown as long as its predecessor.
   */
  private static boolean isOfAnother(
      Consumer<?, ?> consumer, TopicPartition partition, long stored) {
    try {
      long end =
          consumer.endOffsets(List.of(partition), READ_TIMEOUT).getOrDefault(partition, stored);
      if (end < stored) {
        LOG.errorf(
            "partition=%s ends at %d and was read up to %d: another topic of that name, read from"
                + " its beginning",
            partition, end, stored);
      }
      return end < stored;
    } catch (KafkaException unanswered) {
      LOG.warnf("partition=%s goes on at %d: %s", partition, stored, unanswered.getMessage());
      return false;
    }
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
