package io.spillway.verify.kube;

import io.spillway.verify.real.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the programs of Kubernetes are that {@code make verify-programs} built. */
public record KubePrograms(Path home) {
  private static final List<String> ALL =
      List.of(
          "etcd",
          "kube-apiserver",
          "kube-controller-manager",
          "kube-scheduler",
          "jobset-controller",
          "mpi-operator");

  /** All of them, or none if one is not there. */
  public static Optional<KubePrograms> find() {
    KubePrograms programs = new KubePrograms(Programs.cache().resolve("kubernetes"));
    return ALL.stream().allMatch(name -> Files.isExecutable(programs.program(name)))
        ? Optional.of(programs)
        : Optional.empty();
  }

  /** A program by its name; whether it is there is the caller's to ask. */
  public Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  /** The definitions of custom resources, as their projects publish them. */
  List<Path> definitions() throws IOException {
    return in("crds");
  }

  /** The webhooks of those who have some, likewise. */
  List<Path> webhooks() throws IOException {
    return in("webhooks");
  }

  private List<Path> in(String folder) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
