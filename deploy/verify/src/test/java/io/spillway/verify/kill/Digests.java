package io.spillway.verify.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The server compares the digest of what it loaded with the journal's at its head and says so. Its
 * log is asked, since a metric dies with the process that counted.
 */
final class Digests {
  private static final List<String> DIFFERENT =
      List.of("is not what the journal says", "differs from the journal's");

  private Digests() {}

  /** How often a state was loaded, over all starts. */
  static long loaded(List<Path> logs) throws IOException {
    long count = 0;
    for (Path log : logs) {
      count +=
          Files.readAllLines(log).stream().filter(l -> l.contains("state loaded seq=")).count();
    }
    return count;
  }

  static List<Finding> findings(List<Path> logs) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (Path log : logs) {
      Files.readAllLines(log).stream()
          .filter(line -> DIFFERENT.stream().anyMatch(line::contains))
          .forEach(line -> findings.add(new Finding(Finding.Rule.DIGEST, line)));
    }
    return findings;
  }
}
