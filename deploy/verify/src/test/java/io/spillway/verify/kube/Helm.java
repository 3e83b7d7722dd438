package io.spillway.verify.kube;

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

  /** Runs a command; fails if it fails, and answers what it said. */
  String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    kubeconfig.ifPresent(file -> command.addAll(List.of("--kubeconfig", file.toString())));
    Files.createDirectories(directory);
    return Programs.run(directory, command);
  }
}
