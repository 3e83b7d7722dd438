package io.spillway.verify.scenarios;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the tests of all modules whose names begin with scenario ids, {@code SKY_12_…}. */
final class CarryingTests {
  private static final Set<String> NOT_SOURCES = Set.of("target", ".git", ".mvn", "node_modules");

  /** A test method gives nothing back; a factory gives a collection or stream of dynamic tests. */
  private static final Pattern METHOD =
      Pattern.compile(
          "\\b(?:void|DynamicTest|DynamicNode|\\w+<[\\w<>?, ]*>)\\s+((?:[A-Z]{3}_\\d{2}_)+\\w+)\\s*\\(");

  private static final Pattern ID = Pattern.compile("\\G([A-Z]{3})_(\\d{2})_");

  private CarryingTests() {}

  /** All below the root, by id, then path, then name; one method may carry several ids. */
  static List<CarryingTest> below(Path root) throws IOException {
    List<CarryingTest> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            Path name = dir.getFileName();
            return name != null && NOT_SOURCES.contains(name.toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String path = root.relativize(file).toString().replace('\\', '/');
            if (path.contains("test/java/") && path.endsWith(".java")) {
              in(path, Files.readString(file)).forEach(found::add);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream()
        .sorted(
            Comparator.comparing(CarryingTest::id)
                .thenComparing(CarryingTest::path)
                .thenComparing(CarryingTest::method))
        .toList();
  }

  /** Those of one source file. */
  static Stream<CarryingTest> in(String path, String source) {
    String type = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
    return METHOD
        .matcher(source)
        .results()
        .map(match -> match.group(1))
        .flatMap(name -> ids(name).map(id -> new CarryingTest(id, type, name, path)));
  }

  private static Stream<String> ids(String method) {
    Matcher matcher = ID.matcher(method);
    Stream.Builder<String> ids = Stream.builder();
    while (matcher.find()) {
      ids.add(matcher.group(1) + "-" + matcher.group(2));
    }
    return ids.build().distinct();
  }
}
