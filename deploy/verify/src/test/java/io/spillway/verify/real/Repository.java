package io.spillway.verify.real;

import java.nio.file.Files;
import java.nio.file.Path;

/** The root of the checkout. */
public final class Repository {
  private Repository() {}

  public static Path root() {
    Path path = Path.of("").toAbsolutePath();
    while (!Files.exists(path.resolve("mvnw"))) {
      path = path.getParent();
      if (path == null) {
        throw new IllegalStateException("not inside the repository");
      }
    }
    return path;
  }
}
