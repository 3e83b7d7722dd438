package io.spillway.agent.nodes;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.protocol.v1.Capabilities;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Asks the API server what the cluster can run. Blocks. From any thread. */
public final class CapabilityReader {
  private static final Logger LOG = Logger.getLogger(CapabilityReader.class.getName());

  private final KubernetesClient client;

  public CapabilityReader(KubernetesClient client) {
    this.client = client;
  }

  /** All but the nodes' resources, in order, so that equal answers are equal. */
  public Capabilities read() throws ClusterAwayException {
    try {
      TreeSet<String> groups = new TreeSet<>(List.of("v1"));
      for (APIGroup group : client.getApiGroups().getGroups()) {
        for (GroupVersionForDiscovery version : group.getVersions()) {
          groups.add(version.getGroupVersion());
        }
      }
      return Capabilities.newBuilder()
          .setKubernetesVersion(client.getKubernetesVersion().getGitVersion())
          .addAllApiGroups(groups)
          .addAllStorageClasses(
              names("StorageClass", () -> client.storage().v1().storageClasses().list().getItems()))
          .addAllRuntimeClasses(
              names(
                  "RuntimeClass",
                  () ->
                      client
                          .resources(io.fabric8.kubernetes.api.model.node.v1.RuntimeClass.class)
                          .list()
                          .getItems()))
          .addAllCsiDrivers(
              names("CSIDriver", () -> client.storage().v1().csiDrivers().list().getItems()))
          .addAllPriorityClasses(
              names(
                  "PriorityClass",
                  () -> client.scheduling().v1().priorityClasses().list().getItems()))
          .setAppliesManifests(true)
          .build();
    } catch (KubernetesClientException e) {
      throw new ClusterAwayException("discovery", e);
    }
  }

  /** A list that the agent may not read is empty, and the log says why. */
  private static Collection<String> names(
      String kind, Supplier<? extends List<? extends HasMetadata>> list) {
    TreeSet<String> names = new TreeSet<>();
    try {
      list.get().forEach(item -> names.add(item.getMetadata().getName()));
    } catch (KubernetesClientException e) {
      if (e.getCode() != 403 && e.getCode() != 404) {
        throw e;
      }
      LOG.log(Level.WARNING, () -> kind + " objects cannot be listed: " + e.getMessage());
    }
    return names;
  }
}
