package io.spillway.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Decides the journal of a data directory again and compares hashes of the plans: {@code make
 * replay DATA=…}. Starts the database alone; nothing is changed. Ends with 0 if every cycle decides
 * the same, 1 if one differs, 2 if there is nothing to replay.
 */
public final class Replay {
  private static final int UNUSABLE = 2;

  private Replay() {}

  public static void main(String[] args) throws InterruptedException {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.SEVERE);
    int status;
    try {
      status = replay(Options.of(System.getenv()));
    } catch (IllegalArgumentException | IllegalStateException | IOException e) {
      System.err.println("replay: " + e.getMessage());
      status = UNUSABLE;
    }
    System.exit(status);
  }

  private static int replay(Options options) throws IOException, InterruptedException {
    Path path =
        options.data().orElseThrow(() -> new IllegalArgumentException("say which data, DATA=…"));
    if (!Files.isDirectory(path.resolve("postgres"))) {
      throw new IOException("there is no database in " + path);
    }
    try (DataDirectory data = new DataDirectory(options.data());
        Watchdog dog = new Watchdog();
        Postgres postgres = new Postgres(data.path().resolve("postgres"), 0, dog)) {
      return new ProcessBuilder(
              Installation.java(),
              "-jar",
              Installation.find().serverJar().toString(),
              "replay",
              postgres.reactiveUrl(),
              postgres.user())
          .inheritIO()
          .start()
          .waitFor();
    }
  }
}
