package io.spillway.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process that this one started. Its output goes to {@code <run>/<name>.log}, its id to {@code
 * <run>/<name>.pid}, so that the next start on the same data finds what a kill left over.
 */
public final class Child implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(15);

  private final String name;
  private final Process process;
  private final Path pidFile;
  private final Path log;

  private Child(String name, Process process, Path pidFile, Path log) {
    this.name = name;
    this.process = process;
    this.pidFile = pidFile;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param environment added to this process's own
   */
  static Child start(
      String name, Path run, List<String> command, Map<String, String> environment, Watchdog dog) {
    try {
      Files.createDirectories(run);
      Path log = run.resolve(name + ".log");
      ProcessBuilder builder = new ProcessBuilder(ownSession(command));
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true);
      builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      Process process = builder.start();
      dog.guard(process.pid());
      Path pidFile = run.resolve(name + ".pid");
      Files.writeString(pidFile, process.pid() + " " + startOf(process.toHandle()));
      return new Child(name, process, pidFile, log);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " could not be started", e);
    }
  }

  /**
   * In a session of its own, where there is a program for that: Ctrl-C on a terminal must reach
   * this process alone, which then ends the others in order.
   */
  private static List<String> ownSession(List<String> command) {
    for (String path : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (Files.isExecutable(Path.of(path).resolve("setsid"))) {
        List<String> all = new ArrayList<>(List.of("setsid"));
        all.addAll(command);
        return all;
      }
    }
    return command;
  }

  /** Stops what the file names, if that very process still runs; then the file is gone. */
  static void stopLeftOver(Path pidFile) throws IOException {
    if (!Files.exists(pidFile)) {
      return;
    }
    String[] parts = Files.readString(pidFile).strip().split(" ");
    Optional<ProcessHandle> left =
        ProcessHandle.of(Long.parseLong(parts[0]))
            .filter(ProcessHandle::isAlive)
            .filter(handle -> parts.length > 1 && parts[1].equals(startOf(handle)));
    left.ifPresent(Child::end);
    Files.deleteIfExists(pidFile);
  }

  /** Ids are used again; an id with its start time is not. */
  private static String startOf(ProcessHandle handle) {
    return handle
        .info()
        .startInstant()
        .map(start -> Long.toString(start.toEpochMilli()))
        .orElse("?");
  }

  private static void end(ProcessHandle handle) {
    handle.destroy();
    try {
      handle.onExit().get(GRACE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      handle.destroyForcibly();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      handle.destroyForcibly();
      handle.onExit().join();
    }
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** Its exit code, or empty while it runs. */
  public Optional<Integer> exitCode() {
    return process.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
  }

  public Path log() {
    return log;
  }

  /** The last lines of its output, for a message about its end. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "(its log cannot be read: " + e.getMessage() + ")";
    }
  }

  /** As kill -9. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
    forget();
  }

  /** Asks it to end; after {@code 15 s} insists. */
  @Override
  public void close() {
    end(process.toHandle());
    forget();
  }

  private void forget() {
    try {
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
