package io.spillway.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** A Kafka broker with its own controller (KRaft), in a process of its own, its data kept. */
public final class Broker implements AutoCloseable {
  private static final Duration STARTUP = Duration.ofSeconds(90);

  private final Child child;
  private final int port;

  Broker(Path directory, Path run, int wantedPort, Path topics, Watchdog dog) {
    this.port = Ports.free(wantedPort);
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve("server.properties");
      Files.writeString(file, properties(directory, port, Ports.free(0)));
      Path logging = run.resolve("quiet.properties");
      Files.createDirectories(run);
      Files.writeString(
          logging,
          "handlers=java.util.logging.ConsoleHandler\n.level=WARNING\norg.apache.kafka.level=ERROR\n");
      this.child =
          Child.start(
              "kafka",
              run,
              List.of(
                  Installation.java(),
                  "-Xmx384m",
                  "-XX:+UseSerialGC",
                  "-Djava.util.logging.config.file=" + logging,
                  "-cp",
                  System.getProperty("java.class.path"),
                  BrokerMain.class.getName(),
                  file.toString()),
              Map.of(),
              dog);
      createTopics(topics);
    } catch (IOException e) {
      throw new UncheckedIOException("the broker could not be prepared", e);
    }
  }

  private static String properties(Path directory, int port, int controllerPort) {
    return String.join(
            "\n",
            "process.roles=broker,controller",
            "node.id=1",
            "spillway.cluster.id=c3BpbGx3YXktYWxvbmUAAA",
            "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "controller.listener.names=CONTROLLER",
            "inter.broker.listener.name=PLAINTEXT",
            "log.dirs=" + directory.resolve("log"),
            "offsets.topic.replication.factor=1",
            "offsets.topic.num.partitions=1",
            "group.initial.rebalance.delay.ms=0",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "share.coordinator.state.topic.replication.factor=1",
            "share.coordinator.state.topic.min.isr=1",
            "auto.create.topics.enable=false",
            // A table of offsets in memory per partition; ours are few and small.
            "log.cleaner.dedupe.buffer.size=8388608")
        + "\n";
  }

  private void createTopics(Path file) throws IOException {
    List<NewTopic> wanted = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] parts = line.split("\\|");
      if (!line.startsWith("#") && parts.length == 3) {
        Map<String, String> settings = new HashMap<>();
        for (String setting : parts[2].strip().split(",")) {
          String[] pair = setting.split("=", 2);
          settings.put(pair[0].strip(), pair[1].strip());
        }
        wanted.add(
            new NewTopic(parts[0].strip(), Integer.parseInt(parts[1].strip()), (short) 1)
                .configs(settings));
      }
    }
    Instant deadline = Instant.now().plus(STARTUP);
    // The client would complain in the log for as long as nobody listens.
    while (!Ports.taken(port) && child.alive() && Instant.now().isBefore(deadline)) {
      Pause.millis(100);
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      while (missing(admin, wanted).isPresent()) {
        if (!child.alive() || Instant.now().isAfter(deadline)) {
          throw new IOException("the broker did not come up; it said:\n" + child.lastWords());
        }
      }
    }
  }

  /** Creates the topics and says what is still missing. */
  private static Optional<String> missing(Admin admin, List<NewTopic> wanted) throws IOException {
    try {
      Set<String> there = admin.listTopics().names().get(2, TimeUnit.SECONDS);
      List<NewTopic> missing = wanted.stream().filter(t -> !there.contains(t.name())).toList();
      if (missing.isEmpty()) {
        return Optional.empty();
      }
      admin.createTopics(missing).all().get(10, TimeUnit.SECONDS);
      return Optional.of(missing.getFirst().name());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return Optional.empty();
      }
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      return Optional.of("no answer yet");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  public int port() {
    return port;
  }

  public Child process() {
    return child;
  }

  @Override
  public void close() {
    child.close();
  }
}
