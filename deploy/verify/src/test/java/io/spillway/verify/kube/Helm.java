package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.real.Programs;
import io.spillway.verify.real.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The real Helm, against one cluster or none. */
final class Helm {
  private static final YAMLMapper YAML = new YAMLMapper();

  private final Path program;
  private final Path directory;
  private final Optional<Path> kubeconfig;

  /**
   * @param directory for its caches
   */
  Helm(KubePrograms programs, Path directory, Optional<Path> kubeconfig) {
    this.program = programs.program("helm");
    this.directory = directory;
    this.kubeconfig = kubeconfig;
  }

  static Path chart(String name) {
    return Repository.root().resolve("deploy/helm").resolve(name);
  }

  /** Renders a chart; answers its objects. */
  List<JsonNode> template(String release, Path chart, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("template", release, chart.toString()));
    arguments.addAll(List.of(options));
    List<JsonNode> objects = new ArrayList<>();
    try (MappingIterator<JsonNode> documents =
        YAML.readerFor(JsonNode.class).readValues(run(arguments.toArray(String[]::new)))) {
      documents.forEachRemaining(objects::add);
    }
    objects.removeIf(object -> !object.hasNonNull("kind"));
    return List.copyOf(objects);
  }

  /** Runs a command; fails if it fails, and answers what it said. */
  String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    kubeconfig.ifPresent(file -> command.addAll(List.of("--kubeconfig", file.toString())));
    Files.createDirectories(directory);
    return Programs.run(directory, command);
  }
}
