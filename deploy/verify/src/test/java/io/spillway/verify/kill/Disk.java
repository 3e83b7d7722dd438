package io.spillway.verify.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes what a good audit leaves behind. */
final class Disk {
  private Disk() {}

  static void delete(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(directory)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
