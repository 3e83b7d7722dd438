package io.spillway.benchmark.load;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Follows {@code spillway.job-events} from now on, on a thread of its own. */
final class JobEvents implements AutoCloseable {
  private static final String TOPIC = "spillway.job-events";
  private static final long PATIENCE_MILLIS = 5_000;
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<String, String> consumer;
  private final Map<String, Course> courses = new ConcurrentHashMap<>();
  private final Map<String, List<JobEvent>> early = new ConcurrentHashMap<>();
  private final List<Consumer<JobEvent>> listeners = new CopyOnWriteArrayList<>();
  private final Thread reader;
  private volatile boolean ended;

  JobEvents(String bootstrapServers) {
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                20_000,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                20,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(TOPIC).stream()
            .map(p -> new TopicPartition(TOPIC, p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    // Positions are looked up lazily; what is submitted next must not be missed.
    partitions.forEach(consumer::position);
    this.reader = Thread.ofPlatform().daemon().name("job-events").start(this::read);
  }

  private void read() {
    while (!ended) {
      for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
        take(JobEvent.read(record.key(), record.timestamp(), record.value()));
      }
    }
    consumer.close();
  }

  private void take(JobEvent event) {
    listeners.forEach(listener -> listener.accept(event));
    Course course = courses.get(event.job());
    if (course != null) {
      course.heard(event);
      return;
    }
    // Its id is not known yet: the answer to its submission is on the way.
    early.computeIfAbsent(event.job(), job -> new CopyOnWriteArrayList<>()).add(event);
    Course known = courses.get(event.job());
    if (known != null) {
      replay(event.job(), known);
    }
  }

  /** From now on the job's events go into this course, and so do those that came before. */
  void follow(String job, Course course) {
    courses.put(job, course);
    replay(job, course);
  }

  private void replay(String job, Course course) {
    List<JobEvent> before = early.remove(job);
    if (before != null) {
      before.forEach(course::heard);
    }
  }

  /** Forgets the jobs of a scenario that is over. */
  void forget() {
    courses.clear();
    early.clear();
  }

  /** Called for every event, on the reading thread. */
  void listen(Consumer<JobEvent> listener) {
    listeners.add(listener);
  }

  void unlisten(Consumer<JobEvent> listener) {
    listeners.remove(listener);
  }

  @Override
  public void close() {
    ended = true;
    try {
      reader.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
