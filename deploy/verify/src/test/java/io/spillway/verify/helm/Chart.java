package io.spillway.verify.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.spillway.verify.real.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** One of the repository's charts. */
enum Chart {
  SERVER("spillway"),
  AGENT("spillway-agent");

  static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private final String directory;

  Chart(String directory) {
    this.directory = directory;
  }

  Path path() {
    return Repository.root().resolve("deploy/helm").resolve(directory);
  }

  /** Sets of values that the chart is rendered with in tests. */
  List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(path().resolve("ci"))) {
      return files.sorted().toList();
    }
  }

  Path example(String name) {
    return path().resolve("ci").resolve(name + ".yaml");
  }

  JsonNode defaults() throws IOException {
    return YAML.readTree(path().resolve("values.yaml").toFile());
  }

  JsonNode schema() throws IOException {
    return new ObjectMapper().readTree(path().resolve("values.schema.json").toFile());
  }

  String readme() throws IOException {
    return Files.readString(path().resolve("README.md"));
  }
}
