package io.spillway.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The simulated clouds. Their control page may be used by tests: see the module's README. */
public final class CloudsProcess implements AutoCloseable {
  private static final Duration STARTUP = Duration.ofSeconds(60);

  private final Child child;
  private final Http http;
  private final int port;
  private final Path directory;

  /**
   * @param settings in the form of the module's settings file; port, Kafka and directory are added
   */
  CloudsProcess(
      Installation installation, Path directory, Path run, ObjectNode settings, Watchdog dog) {
    this.directory = directory;
    this.port = settings.path("port").asInt();
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve("settings.json");
      settings.put("directory", directory.toString());
      new ObjectMapper().writeValue(file.toFile(), settings);
      this.child =
          Child.start(
              "clouds",
              run,
              List.of(
                  Installation.java(),
                  "-Xmx512m",
                  "-XX:+UseSerialGC",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-jar",
                  installation.cloudsJar().toString(),
                  file.toString()),
              Map.of(),
              dog);
      this.http = new Http(port, Optional.empty());
      await();
    } catch (IOException e) {
      throw new UncheckedIOException("the simulated clouds could not be prepared", e);
    }
  }

  private void await() throws IOException {
    Instant deadline = Instant.now().plus(STARTUP);
    while (true) {
      try {
        if (http.get("/health").status() == 200) {
          return;
        }
      } catch (IOException e) {
        if (!child.alive() || Instant.now().isAfter(deadline)) {
          throw new IOException("the clouds did not come up; they said:\n" + child.lastWords(), e);
        }
        Pause.millis(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  /** The control page. */
  public Http control() {
    return http;
  }

  public int port() {
    return port;
  }

  public Child process() {
    return child;
  }

  /** What really happened, one JSON object a line. */
  public Path ledger() {
    return directory.resolve("ledger.jsonl");
  }

  @Override
  public void close() {
    child.close();
  }
}
