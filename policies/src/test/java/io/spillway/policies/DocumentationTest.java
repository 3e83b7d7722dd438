package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.source.SourceFile;
import io.spillway.policies.source.Sources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation shows can be copied: every YAML block of every page is read here. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("^([ ]*)```ya?ml[^\\n]*\\n(.*?)^\\1```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules");

  static List<Path> pages() {
    try (Stream<Path> files = Files.walk(ROOT, 6)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> Stream.of(file.toString().split("/")).noneMatch(NOT_OURS::contains))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_yaml_block_is_yaml_and_the_policies_of_a_page_compile(Path page) {
    List<SourceFile> blocks = blocks(page);
    List<Finding> syntax = new ArrayList<>();
    Sources.read(blocks, syntax::add);
    assertThat(syntax).isEmpty();

    List<SourceFile> policies =
        blocks.stream()
            .filter(block -> block.content().contains("apiVersion: spillway.io"))
            .toList();
    if (!policies.isEmpty()) {
      Compilation compilation = PolicyCompiler.compile(withSurroundings(policies));
      assertThat(compilation).as("%s", compilation.findings()).isInstanceOf(Compiled.class);
    }
  }

  @Test
  void the_pages_with_policies_are_found() {
    assertThat(
            pages().stream()
                .filter(
                    page ->
                        blocks(page).stream().anyMatch(b -> b.content().contains("kind: Queue")))
                .map(Path::toString))
        .contains("../README.md");
  }

  /** The demo's clusters, pools and queues stand around a block, unless it has its own. */
  private static List<SourceFile> withSurroundings(List<SourceFile> policies) {
    Set<String> own =
        PolicyDocuments.parse(policies).documents().stream()
            .map(PolicyDocument::title)
            .collect(Collectors.toSet());
    List<PolicyDocument> around =
        PolicyDocuments.parse(PolicyFiles.of(PolicyFiles.EXAMPLES.resolve("standalone")))
            .documents()
            .stream()
            .filter(document -> !own.contains(document.title()))
            .toList();
    List<SourceFile> all = new ArrayList<>(policies);
    all.add(new SourceFile("around.yaml", PolicyPrinter.yaml(around)));
    return all;
  }

  private static List<SourceFile> blocks(Path page) {
    String text = PolicyFiles.text(page);
    List<SourceFile> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      long line = text.substring(0, matcher.start(2)).chars().filter(c -> c == '\n').count() + 1;
      blocks.add(
          new SourceFile(
              page + ":" + line, matcher.group(2).stripIndent().replaceAll("(?m)^\\s+$", "")));
    }
    return blocks;
  }
}
