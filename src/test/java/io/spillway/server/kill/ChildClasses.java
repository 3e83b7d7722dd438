package io.spillway.server.kill;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The classes of the children and an archive of them, made by one child that is not killed. Most of
 * a child's life would else be the loading of classes.
 *
 * @param path this process's class path with jars in the place of directories, as archives demand
 * @param archive absent until it is made
 */
record ChildClasses(String path, Path archive) {

  /** Packs this process's class path into {@code folder}. */
  static ChildClasses in(Path folder) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path place = Path.of(part);
      if (Files.isDirectory(place)) {
        parts.add(packed(place, folder.resolve("classes-" + parts.size() + ".jar")).toString());
      } else if (Files.exists(place)) {
        parts.add(part);
      }
    }
    return new ChildClasses(
        String.join(File.pathSeparator, parts), folder.resolve("classes.archive"));
  }

  /** The option that writes the archive when that child ends, or reads it once it is there. */
  String option() {
    return (Files.exists(archive) ? "-XX:AOTCache=" : "-XX:AOTCacheOutput=") + archive;
  }

  private static Path packed(Path directory, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(directory.relativize(each).toString()));
        Files.copy(each, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
