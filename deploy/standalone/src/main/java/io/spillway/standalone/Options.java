package io.spillway.standalone;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the environment asks for.
 *
 * @param port of the API, {@code PORT}
 * @param managementPort {@code MANAGEMENT_PORT}
 * @param data {@code DATA}; empty = a directory that is thrown away at the end
 * @param token {@code TOKEN}; empty = the one kept in the data, or a new one
 * @param traces {@code TRACES}
 * @param demo false for {@code DEMO=off}
 */
record Options(
    int port,
    int managementPort,
    Optional<Path> data,
    Optional<String> token,
    Optional<Path> traces,
    boolean demo) {
  private static final int HTTP = 8080;
  private static final int MANAGEMENT = 9000;

  /**
   * @throws IllegalArgumentException for a value that cannot be; the message names it
   */
  static Options of(Map<String, String> environment) {
    return new Options(
        port(environment, "PORT", HTTP),
        port(environment, "MANAGEMENT_PORT", MANAGEMENT),
        text(environment, "DATA").map(Path::of),
        text(environment, "TOKEN"),
        text(environment, "TRACES").map(Path::of),
        !text(environment, "DEMO").orElse("on").equals("off"));
  }

  private static int port(Map<String, String> environment, String name, int otherwise) {
    Optional<String> value = text(environment, name);
    try {
      int port = value.map(Integer::parseInt).orElse(otherwise);
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException(name + " is a port, not " + port);
      }
      return port;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is a port, not '" + value.orElse("") + "'", e);
    }
  }

  private static Optional<String> text(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }
}
