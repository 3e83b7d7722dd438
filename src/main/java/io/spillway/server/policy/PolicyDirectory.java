package io.spillway.server.policy;

import io.spillway.policies.source.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The policy files of a folder, at any depth, in the order of their names. Hidden files and folders
 * are left out: editors keep half-written copies there, and Kubernetes the older mounts of a
 * ConfigMap ({@code ..data}).
 */
final class PolicyDirectory {
  /** Far more than any set; a folder like {@code /} must not be read into memory. */
  private static final int MAX_FILES = 2_000;

  private static final int MAX_DEPTH = 8;
  private static final long MAX_BYTES = 4L << 20;

  private final Path folder;

  PolicyDirectory(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads all of it.
   *
   * @throws IOException if something cannot be read; the message names it
   */
  List<SourceFile> read() throws IOException {
    List<SourceFile> files = new ArrayList<>();
    long bytes = 0;
    for (Path file : names()) {
      bytes += Files.size(file);
      if (bytes > MAX_BYTES) {
        throw new IOException(folder + " holds more than 4 MiB of policies");
      }
      String name = folder.relativize(file).toString();
      try {
        files.add(new SourceFile(name, Files.readString(file)));
      } catch (MalformedInputException e) {
        throw new IOException(file + " is not UTF-8", e);
      }
    }
    return List.copyOf(files);
  }

  private List<Path> names() throws IOException {
    try (Stream<Path> paths = Files.find(folder, MAX_DEPTH, (path, about) -> isPolicy(path))) {
      List<Path> names = paths.limit(MAX_FILES + 1L).sorted().toList();
      if (names.size() > MAX_FILES) {
        throw new IOException(folder + " holds more than " + MAX_FILES + " policy files");
      }
      return names;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private boolean isPolicy(Path path) {
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    boolean policy = name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
    if (!policy || !Files.isRegularFile(path)) {
      return false;
    }
    for (Path part : folder.relativize(path)) {
      if (part.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }
}
