package io.spillway.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One replica of the server. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration STARTUP = Duration.ofMinutes(2);

  private final Child child;
  private final Http api;
  private final Http management;
  private final int port;
  private final int managementPort;

  /**
   * Where it listens and what is set.
   *
   * @param properties as {@code -D}; the last word over everything else
   * @param jvm options of the virtual machine
   */
  record Setup(
      String name,
      int port,
      int managementPort,
      Map<String, String> properties,
      List<String> jvm) {}

  ServerProcess(Installation installation, Path run, Setup setup, String token, Watchdog dog) {
    this.port = setup.port();
    this.managementPort = setup.managementPort();
    List<String> command = new ArrayList<>();
    command.add(Installation.java());
    command.addAll(setup.jvm());
    setup.properties().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-jar");
    command.add(installation.serverJar().toString());
    Map<String, String> environment = new HashMap<>();
    // Not on the command line, where every user of the machine could read it.
    environment.put("SPILLWAY_ADMIN_TOKEN", token);
    this.child = Child.start(setup.name(), run, command, environment, dog);
    this.api = new Http(port, Optional.of(token));
    this.management = new Http(managementPort, Optional.empty());
  }

  /** Waits until it is ready to serve. */
  void awaitReady() throws IOException {
    Instant deadline = Instant.now().plus(STARTUP);
    while (!ready()) {
      if (!child.alive()) {
        throw new IOException("the server ended; it said:\n" + child.lastWords());
      }
      if (Instant.now().isAfter(deadline)) {
        throw new IOException("the server did not become ready; it said:\n" + child.lastWords());
      }
      Pause.millis(100);
    }
  }

  /** Whether its readiness probe says so. */
  public boolean ready() {
    try {
      return management.get("/q/health/ready").status() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Its API with the admin token. */
  public Http api() {
    return api;
  }

  public Http management() {
    return management;
  }

  public int port() {
    return port;
  }

  public int managementPort() {
    return managementPort;
  }

  public Child process() {
    return child;
  }

  /** As kill -9. */
  public void kill() {
    child.kill();
  }

  @Override
  public void close() {
    child.close();
  }
}
