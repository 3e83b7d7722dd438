package io.spillway.standalone;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the built programs and the example policies are: the repository that this class was built
 * in.
 */
public record Installation(Path root) {

  /**
   * The repository around this class's own files, or the one that {@code spillway.home} names.
   *
   * @throws IllegalStateException if there is none
   */
  public static Installation find() {
    Optional<Path> home = Optional.ofNullable(System.getProperty("spillway.home")).map(Path::of);
    return new Installation(home.orElseGet(Installation::around));
  }

  private static Path around() {
    try {
      Path here =
          Path.of(Installation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path dir = here.toAbsolutePath(); dir != null; dir = dir.getParent()) {
        if (Files.isDirectory(dir.resolve("policies/examples"))
            && Files.isDirectory(dir.resolve("deploy/standalone"))) {
          return dir;
        }
      }
      throw new IllegalStateException(
          "no repository around " + here + "; name it with -Dspillway.home=…");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  public Path serverJar() {
    return root.resolve("src/target/quarkus-app/quarkus-run.jar");
  }

  public Path cloudsJar() {
    return root.resolve("capacity-probes/simulated/target/spillway-capacity-simulated.jar");
  }

  public Path policies(String example) {
    return root.resolve("policies/examples").resolve(example);
  }

  public Path topics() {
    return root.resolve("deploy/kafka/topics.txt");
  }

  /** Whether everything that is started as a jar has been packaged. */
  public boolean built() {
    return Files.exists(serverJar()) && Files.exists(cloudsJar()) && hasLibraries();
  }

  private boolean hasLibraries() {
    try (Stream<Path> libraries = Files.list(cloudsJar().resolveSibling("lib"))) {
      return libraries.findAny().isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** The Java that runs this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
