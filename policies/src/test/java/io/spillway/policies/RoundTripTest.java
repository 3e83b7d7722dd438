package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.source.SourceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {
  private static final int SEEDS = 200;

  static Stream<List<SourceFile>> sets() {
    return Stream.of(
            PolicyFiles.folders(PolicyFiles.EXAMPLES).stream().map(PolicyFiles::of),
            Stream.of(
                List.of(
                    new SourceFile(
                        "full.yaml", PolicyFiles.text(Path.of("src/test/resources/full.yaml"))))),
            LongStream.range(0, SEEDS).mapToObj(seed -> new RandomSet(seed).files()))
        .flatMap(sets -> sets);
  }

  @ParameterizedTest
  @MethodSource("sets")
  void a_set_that_is_printed_and_read_again_is_the_same_set(List<SourceFile> files) {
    Compiled first = compiled(files);

    Compiled second =
        compiled(List.of(new SourceFile("printed.yaml", PolicyPrinter.yaml(first.documents()))));

    assertThat(second.policies()).isEqualTo(first.policies());
    assertThat(second.warnings())
        .extracting(Finding::code)
        .containsExactlyInAnyOrderElementsOf(first.warnings().stream().map(Finding::code).toList());
  }

  @ParameterizedTest
  @MethodSource("sets")
  void neither_order_nor_files_nor_format_are_part_of_the_version(List<SourceFile> files) {
    Compiled first = compiled(files);
    List<String> documents =
        new ArrayList<>(
            first.documents().stream().map(document -> document.json().toPrettyString()).toList());
    Collections.shuffle(documents, new Random(7));

    Compiled array =
        compiled(
            List.of(
                new SourceFile(
                    "set.json",
                    documents.stream().collect(Collectors.joining(",\t", "[\n", "\n]")))));
    List<SourceFile> single = new ArrayList<>();
    for (String document : documents) {
      single.add(new SourceFile("part-" + (documents.size() - single.size()) + ".json", document));
    }

    assertThat(array.policies()).isEqualTo(first.policies());
    assertThat(compiled(single).policies()).isEqualTo(first.policies());
  }

  @Test
  void comments_quotes_and_needless_zeros_are_not_part_of_the_version_but_every_word_is() {
    String base = Marked.BASE.content();

    String version = version(base);

    assertThat(version("# words\n" + base.replace("55.04", "+55.0400"))).isEqualTo(version);
    assertThat(version(base.replace("metadata: {name: base}", "metadata:\n  name: 'base'")))
        .isEqualTo(version);
    assertThat(version(base.replace("55.04", "55.05"))).isNotEqualTo(version);
    assertThat(version(base.replace("{name: any}", "{name: some}"))).isNotEqualTo(version);
  }

  private static String version(String yaml) {
    return compiled(List.of(new SourceFile("base.yaml", yaml))).policies().version();
  }

  private static Compiled compiled(List<SourceFile> files) {
    Compilation compilation = PolicyCompiler.compile(files);
    assertThat(compilation)
        .as("%s\n%s", compilation.findings(), files)
        .isInstanceOf(Compiled.class);
    return (Compiled) compilation;
  }
}
