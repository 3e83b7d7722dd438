package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.finding.Finding;
import io.spillway.policies.source.SourceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;

/**
 * Hostile and broken files: an answer always, an exception never, and every finding has a place.
 */
class FuzzTest {
  private static final int ROUNDS = 3_000;
  private static final List<String> HOSTILE =
      List.of(
          "&a ",
          "*a",
          "!!int ",
          "!<x> ",
          "%YAML 9.9\n",
          "---\n",
          "...\n",
          "{",
          "}",
          "[",
          "]",
          "|\n",
          ">-\n",
          "? ",
          "- ",
          ": ",
          "\t",
          "\u0000",
          "\u0007",
          "\ufeff",
          "\ud800",
          "🚀",
          "\u2028",
          "'",
          "\"",
          "<<: *a",
          "1e999999999",
          ".inf",
          "-.nan",
          "0o777",
          "99999999999999999999",
          "9".repeat(400),
          "null",
          "~",
          "'; drop table job; --",
          "$(reboot)",
          "../../etc/passwd",
          "${jndi:ldap://x}",
          "[".repeat(60),
          "{a: ".repeat(60));

  @Test
  void broken_yaml_is_answered_with_findings_that_have_a_place() {
    String full = PolicyFiles.text(Path.of("src/test/resources/full.yaml"));
    for (long seed = 0; seed < ROUNDS; seed++) {
      compile(seed, new SourceFile("fuzz.yaml", broken(full, new Random(seed))));
    }
  }

  @Test
  void broken_json_is_answered_with_findings_that_have_a_place() {
    String full = PolicyFiles.text(Path.of("src/test/resources/full.yaml"));
    List<String> documents =
        PolicyDocuments.parse(List.of(new SourceFile("full.yaml", full))).documents().stream()
            .map(document -> document.json().toPrettyString())
            .toList();
    for (long seed = 0; seed < ROUNDS; seed++) {
      compile(seed, new SourceFile("fuzz.json", broken(documents.toString(), new Random(seed))));
    }
  }

  @Test
  void bytes_that_mean_nothing_are_answered_with_findings_that_have_a_place() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      StringBuilder noise = new StringBuilder();
      for (int i = random.nextInt(200); i > 0; i--) {
        noise.append(
            random.nextInt(4) == 0
                ? HOSTILE.get(random.nextInt(HOSTILE.size()))
                : String.valueOf((char) random.nextInt(random.nextBoolean() ? 128 : 65_536)));
      }
      compile(
          seed,
          new SourceFile(random.nextBoolean() ? "noise.json" : "noise.yaml", noise.toString()));
    }
  }

  private static void compile(long seed, SourceFile file) {
    try {
      for (Finding finding : PolicyCompiler.compile(List.of(file)).findings()) {
        assertThat(finding.line()).as("seed %d: %s", seed, finding).isPositive();
        assertThat(finding.column()).as("seed %d: %s", seed, finding).isPositive();
        assertThat(finding.message()).as("seed %d: %s", seed, finding).isNotBlank();
        assertThat(finding.text()).as("seed %d", seed).hasSizeLessThan(2_000);
      }
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("seed " + seed + " of " + file.name(), e);
    }
  }

  private static String broken(String text, Random random) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(lines.size());
      String line = lines.get(at);
      int column = random.nextInt(line.length() + 1);
      switch (random.nextInt(7)) {
        case 0 -> lines.remove(at);
        case 1 -> lines.add(at, line);
        case 2 -> lines.set(at, line.substring(0, column));
        case 3 -> lines.set(at, " ".repeat(random.nextInt(5)) + line.strip());
        case 4 -> lines.set(at, line.replaceFirst("[A-Za-z0-9.]+", "x"));
        case 5 ->
            lines.set(
                at,
                line.replaceFirst(
                    ": .*",
                    Matcher.quoteReplacement(": " + HOSTILE.get(random.nextInt(HOSTILE.size())))));
        default ->
            lines.set(
                at,
                line.substring(0, column)
                    + HOSTILE.get(random.nextInt(HOSTILE.size()))
                    + line.substring(column));
      }
    }
    return String.join("\n", lines);
  }
}
