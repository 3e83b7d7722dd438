package io.spillway.verify.real;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Third-party programs that {@code make verify-programs} fetched. */
public final class Programs {
  private Programs() {}

  /** Where the programs are kept, outside the repository. */
  public static Path cache() {
    String chosen = System.getenv("SPILLWAY_PROGRAMS");
    if (chosen != null) {
      return Path.of(chosen);
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base = cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    return base.resolve("spillway").resolve("programs");
  }

  static Optional<Path> prometheus(String program) {
    Path path = cache().resolve("prometheus/usr/bin").resolve(program);
    return Files.isExecutable(path) ? Optional.of(path) : Optional.empty();
  }

  /** Asks a process to end, and ends it after half a minute. */
  public static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Runs a program to its end; answers its output, both streams, and fails if it fails. */
  public static String run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError(command + " failed:\n" + output);
    }
    return output;
  }
}
