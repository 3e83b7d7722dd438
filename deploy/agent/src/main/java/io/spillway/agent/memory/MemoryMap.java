package io.spillway.agent.memory;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.spillway.agent.kube.ClusterAwayException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The ConfigMaps of the agent's namespace that are its memory. Every call blocks. Any thread. */
public final class MemoryMap {
  private static final String LABEL = "spillway.io/agent-memory";

  /** Of half a megabyte each at most. */
  private static final long PAGE = 20;

  private final KubernetesClient client;
  private final String namespace;
  private final String cluster;

  /**
   * @param cluster the memory's owner: two agents may share a namespace
   */
  public MemoryMap(KubernetesClient client, String namespace, String cluster) {
    this.client = client;
    this.namespace = namespace;
    this.cluster = cluster;
  }

  /** Reads, changes and writes one map, as often as others write it at the same time. */
  Map<String, String> change(String part, UnaryOperator<Map<String, String>> change)
      throws ClusterAwayException {
    String name = name(part);
    try {
      while (true) {
        Optional<ConfigMap> known = Optional.ofNullable(at(name).get());
        Map<String, String> data = new HashMap<>();
        known.map(ConfigMap::getData).ifPresent(data::putAll);
        Map<String, String> changed = change.apply(data);
        if (written(name, known, changed)) {
          return changed;
        }
      }
    } catch (KubernetesClientException e) {
      throw new ClusterAwayException("ConfigMap " + namespace + "/" + name, e);
    }
  }

  private boolean written(String name, Optional<ConfigMap> known, Map<String, String> data) {
    ConfigMapBuilder built =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .addToLabels(LABEL, cluster)
            .endMetadata()
            .withData(data);
    try {
      var maps = client.configMaps().inNamespace(namespace);
      if (known.isPresent()) {
        built
            .editMetadata()
            .withResourceVersion(known.get().getMetadata().getResourceVersion())
            .endMetadata();
        maps.resource(built.build()).update();
      } else {
        maps.resource(built.build()).create();
      }
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return false;
      }
      throw e;
    }
  }

  /** All maps of this agent whose part begins so, by what follows in it. */
  Map<String, Map<String, String>> all(String part) throws ClusterAwayException {
    try {
      Map<String, Map<String, String>> found = new HashMap<>();
      String next = null;
      do {
        ConfigMapList page =
            client
                .configMaps()
                .inNamespace(namespace)
                .withLabel(LABEL, cluster)
                .list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
        for (ConfigMap map : page.getItems()) {
          String own = map.getMetadata().getName();
          if (own.startsWith(name(part)) && map.getData() != null) {
            found.put(own.substring(name(part).length()), map.getData());
          }
        }
        next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
      } while (next != null && !next.isEmpty());
      return found;
    } catch (KubernetesClientException e) {
      throw new ClusterAwayException("ConfigMaps of " + namespace, e);
    }
  }

  void delete(String part) throws ClusterAwayException {
    String name = name(part);
    try {
      at(name).delete();
    } catch (KubernetesClientException e) {
      throw new ClusterAwayException("ConfigMap " + namespace + "/" + name, e);
    }
  }

  private String name(String part) {
    return "spillway-agent-" + cluster + part;
  }

  private io.fabric8.kubernetes.client.dsl.Resource<ConfigMap> at(String name) {
    return client.configMaps().inNamespace(namespace).withName(name);
  }
}
