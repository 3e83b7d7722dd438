package io.spillway.agent.symptom;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.spillway.agent.kube.ClusterAwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Why cluster-autoscaler's node groups do not grow, as its status says (YAML from release 1.30 on).
 * An event of a pod says only that some group is in back-off; here stands the provider's own code.
 */
public final class Backoffs {
  private static final Logger LOG = Logger.getLogger(Backoffs.class.getName());
  private static final YAMLMapper YAML = new YAMLMapper();

  private Backoffs() {}

  /** A group that waits before it tries again. */
  public record Backoff(String group, String code, String message) {}

  /** Blocks. Empty where there is no such status, or it may not be read. */
  static List<Backoff> ask(KubernetesClient client) throws ClusterAwayException {
    try {
      ConfigMap status =
          client
              .configMaps()
              .inNamespace("kube-system")
              .withName("cluster-autoscaler-status")
              .get();
      return status == null || status.getData() == null
          ? List.of()
          : read(status.getData().getOrDefault("status", ""));
    } catch (KubernetesClientException e) {
      if (e.getCode() == 403) {
        LOG.log(Level.FINE, e, () -> "the autoscaler's status may not be read");
        return List.of();
      }
      throw new ClusterAwayException("cluster-autoscaler-status", e);
    }
  }

  static List<Backoff> read(String status) {
    List<Backoff> found = new ArrayList<>();
    try {
      for (JsonNode group : YAML.readTree(status).path("nodeGroups")) {
        JsonNode scaleUp = group.path("scaleUp");
        if (scaleUp.path("status").asText().equals("Backoff")) {
          JsonNode info = scaleUp.path("backoffInfo");
          found.add(
              new Backoff(
                  group.path("name").asText(),
                  info.path("errorCode").asText(),
                  info.path("errorMessage").asText()));
        }
      }
    } catch (JsonProcessingException e) {
      LOG.log(Level.FINE, e, () -> "the autoscaler's status is no YAML");
    }
    return found;
  }
}
