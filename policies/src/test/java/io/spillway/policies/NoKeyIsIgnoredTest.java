package io.spillway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.schema.DocumentKind;
import io.spillway.policies.source.SourceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The full set of the test resources has every key of the schemas, and each of them matters. */
class NoKeyIsIgnoredTest {
  private static final String FULL = PolicyFiles.text(Path.of("src/test/resources/full.yaml"));

  private final List<PolicyDocument> documents =
      PolicyDocuments.parse(List.of(new SourceFile("full.yaml", FULL))).documents();
  private final Outcome whole = Outcome.of(FULL);

  @ParameterizedTest
  @EnumSource(DocumentKind.class)
  void the_full_set_has_every_key_that_the_schema_of_the_kind_knows(DocumentKind kind) {
    Set<String> there = new TreeSet<>();
    documents.stream()
        .filter(document -> document.kind() == kind)
        .forEach(document -> keys(document.json(), "", there));

    assertThat(there).containsAll(new SchemaKeys(kind).paths());
  }

  @Test
  void without_any_key_the_core_gets_something_else_or_the_linter_speaks() {
    List<String> ignored = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      for (Removal removal : removals(documents.get(i).json(), List.of())) {
        if (changesNothing(i, removal) && !flagged(documents.get(i), removal.path())) {
          ignored.add(documents.get(i).title() + " " + removal.path());
        }
      }
    }

    assertThat(ignored).isEmpty();
  }

  private boolean changesNothing(int index, Removal removal) {
    List<PolicyDocument> changed = new ArrayList<>(documents);
    PolicyDocument document = documents.get(index);
    JsonNode copy = document.json().deepCopy();
    removal.from(copy);
    changed.set(index, new PolicyDocument(document.kind(), document.name(), document.tree(), copy));
    return Outcome.of(PolicyPrinter.yaml(changed)).equals(whole);
  }

  /** Whether the key or one above it is said to be without effect. */
  private boolean flagged(PolicyDocument document, String path) {
    return document.kind() == DocumentKind.COHORT
        || whole.notYet.stream()
            .filter(flag -> flag.startsWith(document.title() + ' '))
            .map(flag -> flag.substring(flag.indexOf(' ') + 1))
            .anyMatch(
                flag ->
                    path.equals(flag)
                        || path.startsWith(flag + '.')
                        || path.startsWith(flag + '['));
  }

  private static List<Removal> removals(JsonNode node, List<Object> steps) {
    List<Removal> removals = new ArrayList<>();
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(
              entry -> {
                List<Object> below = below(steps, entry.getKey());
                removals.add(new Removal(below));
                removals.addAll(removals(entry.getValue(), below));
              });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        removals.addAll(removals(array.get(i), below(steps, i)));
      }
    }
    return removals;
  }

  private static List<Object> below(List<Object> steps, Object step) {
    return Stream.concat(steps.stream(), Stream.of(step)).toList();
  }

  private static void keys(JsonNode node, String path, Set<String> keys) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              entry -> {
                String below = path.isEmpty() ? entry.getKey() : path + '.' + entry.getKey();
                keys.add(below);
                keys(entry.getValue(), below, keys);
              });
    }
    node.forEach(
        item -> {
          if (node.isArray()) {
            keys(item, path + "[]", keys);
          }
        });
  }

  /** A key taken out of a document: keys of mappings, indexes of lists. */
  private record Removal(List<Object> steps) {
    void from(JsonNode document) {
      JsonNode at = document;
      for (Object step : steps.subList(0, steps.size() - 1)) {
        at = step instanceof Integer index ? at.path(index) : at.path(step.toString());
      }
      ((ObjectNode) at).remove(steps.getLast().toString());
    }

    String path() {
      StringBuilder path = new StringBuilder();
      for (Object step : steps) {
        if (step instanceof Integer) {
          path.append('[').append(step).append(']');
        } else {
          path.append(path.isEmpty() ? "" : ".").append(step);
        }
      }
      return path.toString();
    }
  }

  /** What can be seen of a compilation, places aside. */
  private record Outcome(String policies, List<String> findings, Set<String> notYet) {
    static Outcome of(String yaml) {
      Compilation compilation = PolicyCompiler.compile(List.of(new SourceFile("full.yaml", yaml)));
      String policies =
          compilation instanceof Compiled compiled
              ? compiled.policies().toString().replace(compiled.policies().version(), "")
                  + compiled.compute()
              : "rejected";
      List<String> findings =
          compilation.findings().stream()
              .map(f -> f.code() + f.path() + f.message())
              .sorted()
              .toList();
      return new Outcome(policies, findings, flags(yaml, compilation.findings()));
    }

    private static Set<String> flags(String yaml, List<Finding> findings) {
      List<PolicyDocument> documents =
          PolicyDocuments.parse(List.of(new SourceFile("full.yaml", yaml))).documents();
      return findings.stream()
          .filter(finding -> finding.code() == FindingCode.NOT_YET)
          .flatMap(
              finding ->
                  Stream.of(
                      documents.stream()
                              .filter(one -> one.tree().place().line() <= finding.line())
                              .max(
                                  java.util.Comparator.comparingInt(
                                      one -> one.tree().place().line()))
                              .orElseThrow()
                              .title()
                          + ' '
                          + finding.path()))
          .collect(Collectors.toSet());
    }
  }
}
