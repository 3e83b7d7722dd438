package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.server.kubernetes.Cases.Case;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The golden manifests field by field against what each provider documents: one line a field, with
 * where it is documented. What a golden file shows and no line names was not checked by anybody.
 */
class ReferenceChecklistTest {
  private static final Map<String, Case> CASES =
      Cases.all().stream().collect(Collectors.toMap(Case::toString, Function.identity()));

  /**
   * One fact.
   *
   * @param where pointer into the pod template, or a word: {@code env X}, {@code selector X},
   *     {@code limit X}, {@code label X}, {@code annotation X}, {@code toleration X}, {@code
   *     together X}, {@code required X}, {@code mounts}, {@code caps}
   * @param source who documents it
   */
  record Fact(String golden, String where, String expected, String source) {
    static Fact of(String[] columns) {
      return new Fact(columns[0], columns[1], columns[2], columns[3]);
    }
  }

  static Stream<Fact> facts() {
    return lines().skip(1).map(line -> line.split("\t", -1)).map(Fact::of);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("facts")
  void a_golden_manifest_says_what_the_provider_documents(Fact fact) {
    assertThat(CASES).containsKey(fact.golden());
    Objects made = Objects.of(CASES.get(fact.golden()).translated());
    assertThat(said(made, fact.where())).as(fact.source()).isEqualTo(fact.expected());
  }

  private static String said(Objects made, String where) {
    JsonNode pod = made.pod();
    String[] words = where.split(" ", 2);
    String word = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "env" -> made.env(word);
      case "selector" -> pod.at("/spec/nodeSelector").path(word).asText();
      case "limit" -> made.container().at("/resources/limits").path(word).asText();
      case "label" -> pod.at("/metadata/labels").path(word).asText();
      case "annotation" -> pod.at("/metadata/annotations").path(word).asText();
      case "toleration" -> toleration(pod, word);
      case "together" ->
          pod.at("/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution")
              .path(Integer.parseInt(word))
              .path("topologyKey")
              .asText();
      case "near" -> {
        JsonNode near =
            pod.at("/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution")
                .path(Integer.parseInt(word));
        yield near.path("weight").asText() + " " + near.at("/podAffinityTerm/topologyKey").asText();
      }
      case "mounts" -> {
        List<String> paths = new ArrayList<>();
        made.container().path("volumeMounts").forEach(m -> paths.add(m.path("mountPath").asText()));
        yield String.join(",", paths);
      }
      case "caps" -> {
        List<String> caps = new ArrayList<>();
        made.container().at("/securityContext/capabilities/add").forEach(c -> caps.add(c.asText()));
        yield caps.toString();
      }
      default -> {
        JsonNode node = pod.at(where);
        yield node.isContainerNode() ? node.toString() : node.asText();
      }
    };
  }

  private static String toleration(JsonNode pod, String key) {
    for (JsonNode one : pod.at("/spec/tolerations")) {
      if (one.path("key").asText().equals(key)) {
        return Stream.of("operator", "value", "effect", "tolerationSeconds")
            .map(field -> one.path(field).asText())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" "));
      }
    }
    return "";
  }

  private static Stream<String> lines() {
    try {
      return Files.readAllLines(Path.of("test/resources/manifests-checklist.tsv")).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
