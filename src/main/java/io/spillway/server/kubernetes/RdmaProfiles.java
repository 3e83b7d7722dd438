package io.spillway.server.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The machines' profiles, read once from {@code kubernetes/rdma-profiles.yaml}. */
final class RdmaProfiles {
  private static final JsonNode DATA = read();

  private RdmaProfiles() {}

  /** NCCL's values for that shape of OCI bare metal; empty for a shape that nobody measured. */
  static Optional<SortedMap<String, String>> ofShape(String shape) {
    JsonNode own = DATA.at("/oke/shapes").path(shape);
    if (own.isMissingNode()) {
      return Optional.empty();
    }
    SortedMap<String, String> env = env(DATA.at("/oke/common"));
    env.putAll(env(own.path("env")));
    return Optional.of(env);
  }

  /** SR-IOV virtual functions of a node of that shape. */
  static OptionalInt virtualFunctions(String shape) {
    return number(DATA.at("/oke/shapes").path(shape).path("virtualFunctions"));
  }

  /** Elastic Fabric Adapter interfaces of a whole machine. */
  static OptionalInt efa(String instanceType) {
    return number(DATA.at("/eks/efa").path(instanceType));
  }

  static SortedMap<String, String> efaEnv() {
    return env(DATA.at("/eks/env"));
  }

  static SortedMap<String, String> aksEnv() {
    return env(DATA.at("/aks/env"));
  }

  static SortedMap<String, String> coreweaveEnv(String fabricType) {
    return env(DATA.path("coreweave").path(fabricType));
  }

  /** Whether that machine of Google's has RDMA, not only TCPX. */
  static boolean gkeRdma(String machine) {
    for (JsonNode one : DATA.at("/gke/rdma")) {
      if (one.asText().equals(machine)) {
        return true;
      }
    }
    return false;
  }

  /** GKE's name of the accelerator in that machine. */
  static Optional<String> accelerator(String machine) {
    int size = machine.lastIndexOf('-');
    JsonNode name =
        DATA.at("/gke/accelerators").path(size < 0 ? machine : machine.substring(0, size));
    return name.isMissingNode() ? Optional.empty() : Optional.of(name.asText());
  }

  private static OptionalInt number(JsonNode node) {
    return node.isMissingNode() ? OptionalInt.empty() : OptionalInt.of(node.asInt());
  }

  private static SortedMap<String, String> env(JsonNode node) {
    SortedMap<String, String> env = new TreeMap<>();
    node.properties().forEach(entry -> env.put(entry.getKey(), entry.getValue().asText()));
    return env;
  }

  private static JsonNode read() {
    try (InputStream in =
        RdmaProfiles.class.getResourceAsStream("/kubernetes/rdma-profiles.yaml")) {
      return new YAMLMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the profiles are part of the program", e);
    }
  }
}
