package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.verify.Full;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.kube.Wire.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ten clusters of Spillway's at once, and how fast jobs get through one agent and through ten. The
 * ten share one API server, each agent with its own release, account, namespaces and pool: ten API
 * servers on two cores would measure how they get in each other's way.
 */
@Kubernetes
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ManyClustersTest {
  /** Of all clusters together, so that one agent and ten have as many jobs at once. */
  private static final int NODES = 80;

  /** One control plane, its clusters, and when a workload was applied. */
  private record World(ControlPlane plane, List<Site> sites, ConcurrentSkipListSet<Long> applied)
      implements AutoCloseable {
    static World of(KubeWorld kubernetes, int clusters) throws Exception {
      List<String> names = Policies.names(clusters);
      ControlPlane plane =
          ControlPlane.start(
              ControlPlane.plan(
                  Files.createTempDirectory("spillway-many"),
                  Policies.write(clusters, NODES / clusters),
                  Set.copyOf(names)));
      World world = new World(plane, new ArrayList<>(), new ConcurrentSkipListSet<>());
      for (String name : names) {
        Site site = Site.attach(name, kubernetes.cluster(), plane, List.of(name + "-research"));
        site.wire().watch(world.watcher());
        world.sites.add(site);
      }
      return world;
    }

    private Wire.Watcher watcher() {
      return new Wire.Watcher() {
        @Override
        public void after(Asked asked) throws IOException {
          if (asked.method().equals("PATCH")
              && asked.path().contains("/jobs/")
              && asked.status() / 100 == 2) {
            applied.add(System.nanoTime());
          }
        }
      };
    }

    @Override
    public void close() {
      sites.forEach(Site::close);
      plane.close();
    }
  }

  private static ObjectNode job(String name) {
    ObjectNode job = ControlPlane.job(name, 1, "0.2");
    ((ObjectNode) job.path("resources")).put("gpusPerNode", 1);
    return job;
  }

  /** All jobs end well, each in the namespace of the cluster it was placed in. */
  private static void all(World world, int jobs) throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      ids.add(world.plane().submit(job("many-" + i)));
    }
    for (String id : ids) {
      world.plane().awaitState(id, "SUCCEEDED");
    }
    for (String id : ids) {
      List<JsonNode> attempts = world.plane().attempts(id);
      assertThat(attempts).hasSize(1);
      String cluster = attempts.getFirst().path("cluster").asText();
      Site site =
          world.sites().stream()
              .filter(each -> each.name().equals(cluster))
              .findFirst()
              .orElseThrow();
      assertThat(
              site.admin()
                  .list(
                      "/api/v1/pods?labelSelector=spillway.io/attempt="
                          + attempts.getFirst().path("id").asText()))
          .allMatch(
              pod -> pod.path("metadata").path("namespace").asText().equals(cluster + "-research"));
    }
  }

  private static void measure(KubeWorld kubernetes, int clusters, int jobs) throws Exception {
    Machines machines = Machines.of(kubernetes.kubelet(), "many" + clusters);
    machines.addBareMetal(NODES);
    try (World world = World.of(kubernetes, clusters)) {
      for (Site site : world.sites()) {
        world.plane().awaitNodes(site.name(), NODES);
      }
      all(world, 20); // the classes are loaded, the connections are there
      world.applied().clear();
      all(world, jobs);
      double seconds = (world.applied().last() - world.applied().first()) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "[figures] %d agents: %d placements in %.1f s, %.1f placements/s%n",
          clusters,
          world.applied().size(),
          seconds,
          (world.applied().size() - 1) / seconds);
      assertThat(world.applied()).hasSizeGreaterThanOrEqualTo(jobs);
    }
    machines.removeAll();
  }

  @Test
  @Full("figures")
  void placements_go_through_one_agent(KubeWorld kubernetes) throws Exception {
    measure(kubernetes, 1, 300);
  }

  @Test
  @Full("figures")
  void placements_go_through_ten_agents(KubeWorld kubernetes) throws Exception {
    measure(kubernetes, 10, 300);
  }

  @Test
  @Full("clusters")
  void ten_clusters_at_once_keep_to_themselves(KubeWorld kubernetes) throws Exception {
    Machines machines = Machines.of(kubernetes.kubelet(), "ten");
    machines.addBareMetal(20);
    try (World world = World.of(kubernetes, 10)) {
      for (Site site : world.sites()) {
        world.plane().awaitNodes(site.name(), 20);
      }
      all(world, 60);
      for (Site site : world.sites()) {
        assertThat(site.wire().asked())
            .as("what the agent of %s changed", site.name())
            .filteredOn(Asked::writes)
            .allMatch(
                asked ->
                    asked.path().contains(site.name()) || asked.path().contains("selfsubject"));
      }
    }
    machines.removeAll();
  }
}
