package io.spillway.verify.scenarios;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is wanted joined with what is there: the page, and what is wrong with it. */
record ScenarioReport(List<Scenario> scenarios, Map<String, List<CarryingTest>> tests) {
  private static final Path CSV = Path.of("docs", "scenarios.csv");
  private static final Path PAGE = Path.of("docs", "scenarios.md");

  ScenarioReport {
    scenarios = List.copyOf(scenarios);
    tests = Map.copyOf(tests);
  }

  static ScenarioReport of(Path root) throws IOException {
    return new ScenarioReport(
        ScenarioTable.parse(Files.readAllLines(root.resolve(CSV))),
        CarryingTests.below(root).stream().collect(Collectors.groupingBy(CarryingTest::id)));
  }

  /** One sentence for each thing that is wrong; empty if all is well. */
  List<String> findings(Path root) throws IOException {
    List<String> findings = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      boolean carried = tests.containsKey(scenario.id());
      if (scenario.status() == Scenario.Status.TESTS && !carried) {
        findings.add("%s has no test: %s".formatted(scenario.id(), scenario.title()));
      } else if (scenario.status() != Scenario.Status.TESTS && carried) {
        findings.add(
            "%s stands as %s, yet %s carries it"
                .formatted(scenario.id(), scenario.status(), named(scenario).getFirst().method()));
      }
    }
    List<String> known = scenarios.stream().map(Scenario::id).toList();
    tests.values().stream()
        .flatMap(List::stream)
        .filter(test -> !known.contains(test.id()))
        .forEach(
            t ->
                findings.add(
                    "%s.%s carries the unknown id %s".formatted(t.type(), t.method(), t.id())));
    Path page = root.resolve(PAGE);
    if (!Files.exists(page) || !Files.readString(page).equals(page())) {
      findings.add("docs/scenarios.md is out of date: make scenarios writes it anew");
    }
    return List.copyOf(findings);
  }

  void write(Path root) throws IOException {
    Files.writeString(root.resolve(PAGE), page());
  }

  String page() {
    SortedMap<Family, List<Scenario>> families =
        scenarios.stream()
            .collect(Collectors.groupingBy(Scenario::family, TreeMap::new, Collectors.toList()));
    long tested = scenarios.stream().filter(s -> tests.containsKey(s.id())).count();
    StringBuilder page =
        new StringBuilder(
            """
            # Failure scenarios

            What has gone wrong in schedulers of this kind, and the tests that hold it here. Written by
            `make scenarios` from `scenarios.csv` and from the names of the tests; do not edit.

            %d scenarios, %d with tests.
            """
                .formatted(scenarios.size(), tested));
    families.forEach(
        (family, members) -> {
          page.append("\n## %s · %s\n\n".formatted(family, family.title()))
              .append("| id | what holds | tests |\n|---|---|---|\n");
          members.forEach(
              s ->
                  page.append(
                      "| %s | %s | %s |\n".formatted(s.id(), cell(s.title()), cell(proof(s)))));
        });
    return page.toString();
  }

  private String proof(Scenario scenario) {
    List<CarryingTest> named = named(scenario);
    if (!named.isEmpty()) {
      return named.stream()
          .map(t -> "[%s](../%s) `%s`".formatted(t.type(), t.path(), t.method()))
          .collect(Collectors.joining("<br>"));
    }
    return switch (scenario.status()) {
      case TESTS -> "**none yet**";
      case LATER -> "later: " + scenario.reason();
      case NOT_APPLICABLE -> "not applicable: " + scenario.reason();
    };
  }

  private List<CarryingTest> named(Scenario scenario) {
    return tests.getOrDefault(scenario.id(), List.of());
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
