package io.spillway.verify.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The step of the build that holds {@code docs/scenarios.csv} against the tests of all modules.
 * With {@code -Dscenarios.missing=warn} it lists what is wrong and passes.
 */
class ScenariosAreHeldTest {
  private static final Path ROOT = Path.of(System.getProperty("spillway.root"));
  private static final String MISSING = System.getProperty("spillway.scenarios.missing", "fail");

  @Test
  void every_scenario_that_wants_tests_has_one_and_the_page_is_up_to_date() throws IOException {
    List<String> findings = ScenarioReport.of(ROOT).findings(ROOT);
    if (MISSING.equals("warn")) {
      findings.forEach(finding -> System.out.println("[WARNING] scenarios: " + finding));
    } else {
      assertThat(findings).isEmpty();
    }
  }
}
