package io.spillway.verify.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioReportTest {
  @TempDir private Path root;

  @BeforeEach
  void a_repository_with_three_scenarios() throws IOException {
    Files.createDirectories(root.resolve("docs"));
    Files.writeString(
        root.resolve("docs/scenarios.csv"),
        """
        id,family,title,status,reason
        ABC-01,F1,"A call that times out, and is not repeated",tests,
        ABC-02,F1,Nothing is evicted in vain,later,needs preemption
        ABC-03,F2,Shares are counted,not-applicable,there are none
        """);
  }

  @Test
  void a_scenario_with_a_test_is_joined_with_it_and_nothing_is_found_wrong() throws IOException {
    test("core/src/test/java/a/CrashTest.java", "ABC_01_a_call_is_not_repeated");

    ScenarioReport report = written();

    assertThat(report.findings(root)).isEmpty();
    assertThat(root.resolve("docs/scenarios.md"))
        .content()
        .contains(
            "3 scenarios, 1 with tests",
            "| ABC-01 | A call that times out, and is not repeated |"
                + " [CrashTest](../core/src/test/java/a/CrashTest.java)"
                + " `ABC_01_a_call_is_not_repeated` |",
            "| ABC-02 | Nothing is evicted in vain | later: needs preemption |",
            "| ABC-03 | Shares are counted | not applicable: there are none |");
  }

  @Test
  void a_scenario_that_wants_tests_and_has_none_is_found() throws IOException {
    assertThat(written().findings(root))
        .singleElement()
        .asString()
        .startsWith("ABC-01 has no test");
  }

  @Test
  void a_scenario_said_to_come_later_that_a_test_carries_is_found() throws IOException {
    test("core/src/test/java/a/T.java", "ABC_01_ABC_02_both_hold");

    assertThat(written().findings(root))
        .singleElement()
        .isEqualTo("ABC-02 stands as later, yet ABC_01_ABC_02_both_hold carries it");
  }

  @Test
  void a_mistyped_id_is_found() throws IOException {
    test("core/src/test/java/a/T.java", "ABC_01_holds", "ABD_01_holds_too");

    assertThat(written().findings(root))
        .singleElement()
        .isEqualTo("T.ABD_01_holds_too carries the unknown id ABD-01");
  }

  @Test
  void a_test_that_came_after_the_page_was_written_makes_it_outdated() throws IOException {
    source("src/test/java/a/T.java", "@TestFactory Stream<DynamicTest> " + "ABC_01_holds() {}");
    written();
    test("src/test/java/a/U.java", "ABC_01_holds_elsewhere");

    assertThat(ScenarioReport.of(root).findings(root))
        .singleElement()
        .asString()
        .startsWith("docs/scenarios.md is out of date");
  }

  @Test
  void what_is_built_or_called_or_not_a_test_source_carries_nothing() throws IOException {
    test("core/target/test/java/a/T.java", "ABC_01_holds");
    test("core/src/main/java/a/T.java", "ABC_01_holds");
    source("core/src/test/java/a/T.java", "int x = ABC_01_holds();");

    assertThat(CarryingTests.below(root)).isEmpty();
  }

  @Test
  void a_table_that_is_wrong_is_refused_with_the_line() {
    String header = "id,family,title,status,reason";
    assertThatThrownBy(() -> ScenarioTable.parse(List.of(header, "ABC-01,F1,t,maybe,")))
        .hasMessage("line 2: 'maybe' is no status: one of tests, later, not-applicable");
    assertThatThrownBy(() -> ScenarioTable.parse(List.of(header, "ABC-01,F1,t,later,")))
        .hasMessageStartingWith("line 2: ABC-01: a reason belongs to");
    assertThatThrownBy(
            () -> ScenarioTable.parse(List.of(header, "ABC-01,F1,t,tests,", "ABC-01,F1,t,tests,")))
        .hasMessage("line 3: ABC-01 stands here for the second time");
    assertThatThrownBy(() -> ScenarioTable.parse(List.of(header, "ABC-01,F1,\"t,tests,")))
        .hasMessage("line 2: a quote is not closed");
    assertThatThrownBy(() -> ScenarioTable.parse(List.of("id,title")))
        .hasMessageStartingWith("line 1: expected the header");
  }

  private ScenarioReport written() throws IOException {
    ScenarioReport report = ScenarioReport.of(root);
    report.write(root);
    return report;
  }

  private void test(String path, String... methods) throws IOException {
    source(
        path,
        Arrays.stream(methods)
            .map("@Test void %s() {}"::formatted)
            .collect(Collectors.joining("\n")));
  }

  private void source(String path, String members) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "class T {" + members + "}");
  }
}
