package io.spillway.verify.scenarios;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code write <root>} writes the page, {@code check <root>} says what is wrong and exits 1. */
final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !List.of("write", "check").contains(args[0])) {
      System.err.println("usage: write|check <root of the repository>");
      System.exit(2);
    }
    Path root = Path.of(args[1]);
    ScenarioReport report = ScenarioReport.of(root);
    if (args[0].equals("write")) {
      report.write(root);
    }
    List<String> findings = report.findings(root);
    findings.forEach(System.out::println);
    if (args[0].equals("check") && !findings.isEmpty()) {
      System.exit(1);
    }
  }
}
