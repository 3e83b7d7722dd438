package io.spillway.benchmark.load;

import io.spillway.standalone.Installation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** From the command of {@code make run}, everything built, to the line that says ready. */
final class StartUp implements Scenario {
  @Override
  public String name() {
    return "start";
  }

  @Override
  public String load() {
    return "make run on empty data, until it says that it is ready";
  }

  @Override
  public List<Figure> run() throws IOException, InterruptedException {
    Installation installation = Installation.find();
    ProcessBuilder builder =
        new ProcessBuilder(
                Installation.java(),
                "-jar",
                installation
                    .root()
                    .resolve("deploy/standalone/target/spillway-standalone.jar")
                    .toString())
            .redirectErrorStream(true);
    builder.environment().put("DEMO", "off");
    builder.environment().put("PORT", "0");
    builder.environment().put("MANAGEMENT_PORT", "0");
    builder.environment().remove("DATA");
    long began = System.currentTimeMillis();
    Process run = builder.start();
    try (BufferedReader said = run.inputReader(StandardCharsets.UTF_8)) {
      String last = "";
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.contains("is ready on")) {
          return List.of(Figure.seconds("start.make_run", System.currentTimeMillis() - began));
        }
        last = line;
      }
      throw new IOException("make run ended and said: " + last);
    } finally {
      run.destroy();
      if (!run.waitFor(60, TimeUnit.SECONDS)) {
        run.destroyForcibly();
      }
    }
  }
}
