package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
  /** Everything that the linter may say about an example; an example not named here is clean. */
  private static final Map<String, Set<FindingCode>> WARNINGS =
      Map.of(
          "standalone", Set.of(FindingCode.SUNK_BELOW_PAID),
          "deadline", Set.of(FindingCode.NOT_YET),
          "cohort", Set.of(FindingCode.NOT_YET),
          "cost-capped", Set.of(FindingCode.NOT_YET));

  static java.util.List<Path> examples() {
    return PolicyFiles.folders(PolicyFiles.EXAMPLES);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_compiles_with_no_warning_but_those_it_is_known_for(Path example) {
    Compilation compilation = PolicyCompiler.compile(PolicyFiles.of(example));

    assertThat(compilation).as("%s", compilation.findings()).isInstanceOf(Compiled.class);
    Set<FindingCode> told =
        compilation.findings().stream().map(Finding::code).collect(Collectors.toSet());
    assertThat(told)
        .as("%s", compilation.findings())
        .isEqualTo(WARNINGS.getOrDefault(example.getFileName().toString(), Set.of()));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_has_its_line_in_the_readme(Path example) {
    String name = example.getFileName().toString();

    assertThat(PolicyFiles.text(PolicyFiles.EXAMPLES.resolve("README.md")))
        .contains("[`" + name + "/`](" + name + ")");
  }

  @Test
  void every_code_is_explained_in_the_readme() {
    String readme = PolicyFiles.text(Path.of("README.md"));

    assertThat(Arrays.stream(FindingCode.values()))
        .allSatisfy(
            code ->
                assertThat(readme)
                    .containsPattern(
                        "\\|.*`"
                            + code
                            + "`.*\\| "
                            + code.severity().name().toLowerCase(java.util.Locale.ROOT)
                            + " \\|"));
  }
}
