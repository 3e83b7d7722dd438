package io.spillway.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code make replay DATA=…}: starts the database of that data alone and has the server's own
 * program decide its journal again. Ends with that program's status: 0 if every decision is the
 * same.
 */
public final class Replay {
  private static final int UNUSABLE = 2;
  private static final String PROGRAM = "io.spillway.server.replay.ReplayMain";

  private Replay() {}

  /** Arguments are handed on, for example {@code --from-memo}. */
  public static void main(String[] args) throws InterruptedException {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.SEVERE);
    Optional<Path> data = Options.of(System.getenv()).data();
    if (data.isEmpty() || !Files.isDirectory(data.get().resolve("postgres"))) {
      System.err.println("replay: say which data, DATA=<directory of a former run>");
      System.exit(UNUSABLE);
      return;
    }
    System.exit(run(data.get(), args));
  }

  private static int run(Path directory, String[] args) throws InterruptedException {
    try (DataDirectory data = new DataDirectory(Optional.of(directory));
        Watchdog dog = new Watchdog();
        Postgres postgres = new Postgres(data.path().resolve("postgres"), 0, dog)) {
      Path application = Installation.find().serverJar().getParent();
      List<String> command = new ArrayList<>();
      command.add(Installation.java());
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("-cp");
      command.add(application.resolve("app") + "/*:" + application.resolve("lib/main") + "/*");
      command.add(PROGRAM);
      command.add(postgres.reactiveUrl());
      command.add(postgres.user());
      command.addAll(List.of(args));
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      System.err.println("replay: " + e.getMessage());
      return UNUSABLE;
    }
  }
}
