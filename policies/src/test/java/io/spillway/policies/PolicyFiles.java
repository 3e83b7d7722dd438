package io.spillway.policies;

import io.spillway.policies.source.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Policy files of the source tree, as tests find them from the module's folder. */
final class PolicyFiles {
  static final Path EXAMPLES = Path.of("examples");

  private PolicyFiles() {}

  static List<SourceFile> of(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().matches(".*\\.(yaml|yml|json)"))
          .map(file -> new SourceFile(folder.relativize(file).toString(), text(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Path> folders(Path parent) {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
