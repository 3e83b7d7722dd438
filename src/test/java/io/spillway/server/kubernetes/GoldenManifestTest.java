package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.server.kubernetes.Cases.Case;
import java.io.IOException;
import java.nio.file.Files;
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

/**
 * Every manifest that there can be, as it was checked once, byte for byte; written anew by {@code
 * -Dmanifests.write=true}, for a person to read the difference.
 */
class GoldenManifestTest {
  static final Path FOLDER = Path.of("test/resources/manifests");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final boolean WRITE = Boolean.getBoolean("manifests.write");

  @ParameterizedTest
  @EnumSource(ClusterKind.class)
  void each_manifest_is_byte_for_byte_the_one_that_was_checked(ClusterKind kind)
      throws IOException {
    List<String> different = new ArrayList<>();
    for (Case one : Cases.of(kind)) {
      Translated translated = one.translated();
      assertThat(translated).as(one.toString()).isInstanceOf(Translated.Manifests.class);
      List<String> made = ((Translated.Manifests) translated).objects();
      if (WRITE) {
        write(one, made);
      }
      if (!made.equals(golden(one))) {
        different.add(one.toString());
      }
    }

    assertThat(different).as("written anew by -Dmanifests.write=true").isEmpty();
  }

  @Test
  void no_file_is_left_of_a_case_that_is_gone() throws IOException {
    Set<String> expected =
        Cases.all().stream()
            .map(one -> file(one).toString())
            .collect(Collectors.toCollection(TreeSet::new));
    try (Stream<Path> files = Files.walk(FOLDER)) {
      assertThat(files.filter(Files::isRegularFile).map(Path::toString))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static Path file(Case one) {
    return FOLDER.resolve(one.kind().text()).resolve(one.name() + ".json");
  }

  private static List<String> golden(Case one) throws IOException {
    if (!Files.exists(file(one))) {
      return List.of();
    }
    List<String> objects = new ArrayList<>();
    for (JsonNode object : JSON.readTree(Files.readString(file(one)))) {
      objects.add(object.toString());
    }
    return objects;
  }

  private static void write(Case one, List<String> objects) throws IOException {
    ArrayNode array = JSON.createArrayNode();
    for (String object : objects) {
      array.add(JSON.readTree(object));
    }
    Files.createDirectories(file(one).getParent());
    Files.writeString(file(one), JSON.writeValueAsString(array) + "\n");
  }
}
