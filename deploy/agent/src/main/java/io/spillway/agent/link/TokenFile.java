package io.spillway.agent.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The cluster's token, as the file holds it at this moment. It is never logged. */
public record TokenFile(Path file) implements Supplier<Optional<String>> {
  private static final Logger LOG = Logger.getLogger(TokenFile.class.getName());

  @Override
  public Optional<String> get() {
    try {
      return Optional.of(Files.readString(file).strip()).filter(token -> !token.isEmpty());
    } catch (IOException e) {
      LOG.log(Level.WARNING, () -> "the token in " + file + " cannot be read: " + e);
      return Optional.empty();
    }
  }
}
