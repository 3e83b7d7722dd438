package io.spillway.verify.kube;

import io.spillway.verify.real.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the clocks of programs run fast, from outside: libfaketime stands between them and the
 * system's clocks, waits included. All of them began at the same moment, so that they agree.
 * Programs of Go are linked without the system's library and keep the machine's time.
 */
record HastenedTime(Path library) {
  /** What runs under this name keeps the machine's time. */
  private static final String PATIENT = "patient-java";

  /** Empty where {@code make verify-programs} has not fetched it. */
  static Optional<HastenedTime> find() throws IOException {
    Path home = Programs.cache().resolve("faketime");
    if (!Files.isDirectory(home)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(file -> file.endsWith("libfaketimeMT.so.1"))
          .findFirst()
          .map(HastenedTime::new);
    }
  }

  /**
   * Runs the {@code main} of a class of this class path to its end, in the machine's time; whatever
   * it starts, and that starts, has the fast one.
   *
   * @param haste seconds of theirs in one of the machine's; also the argument of {@code main}
   * @param directory for what is needed besides
   * @return the exit status
   */
  int run(Class<?> main, int haste, Path directory) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path patient = Files.createSymbolicLink(directory.resolve(PATIENT), java);
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                patient.toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(),
                Integer.toString(haste)));
    builder
        .environment()
        .putAll(
            Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME",
                "+0 x" + haste,
                "FAKETIME_SKIP_CMDS",
                PATIENT));
    builder.redirectErrorStream(true);
    Process process = builder.start();
    // Whatever ends the test ends this too, and with it all that it started.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      said.lines().forEach(System.out::println);
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }
}
