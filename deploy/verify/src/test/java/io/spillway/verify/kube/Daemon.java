package io.spillway.verify.kube;

import io.spillway.verify.real.Programs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process that a test starts, kills and starts again; its output is appended to one file. */
public final class Daemon implements AutoCloseable {
  private final String name;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Path log;
  private volatile Process process;

  /**
   * Starts it.
   *
   * @param directory where its output goes, as {@code <name>.log}
   * @param environment added to this process's own
   */
  public Daemon(String name, Path directory, List<String> command, Map<String, String> environment)
      throws IOException {
    this.name = name;
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.log = directory.resolve(name + ".log");
    this.process = launch();
    // Whatever ends this machine's test, nothing it started outlives it.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
  }

  private Process launch() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return builder.start();
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

  /** As kill -9. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Starts it again, after a kill. */
  public void restart() throws IOException {
    kill();
    process = launch();
  }

  /** Sends a signal, by its name without SIG. */
  public void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start().waitFor();
  }

  /** All that it said; for a message about a failure. */
  public String lastWords() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return name
        + ":\n"
        + String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }

  public Path log() {
    return log;
  }

  /** Asks it to end, then insists. */
  @Override
  public void close() {
    Programs.end(process);
  }
}
