package io.spillway.agent;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.nio.file.Path;
import java.util.Optional;

/** The way to the API server: as a pod's service account, or as a kubeconfig says. */
final class KubeClients {
  private static final int REQUEST_MILLIS = 8_000;

  private KubeClients() {}

  static KubernetesClient open(Optional<Path> kubeconfig, String version) {
    Config found =
        kubeconfig
            .map(file -> Config.fromKubeconfig(file.toFile()))
            .orElseGet(() -> Config.autoConfigure(null));
    Config config =
        new ConfigBuilder(found)
            .withRequestTimeout(REQUEST_MILLIS)
            .withConnectionTimeout(5_000)
            // Calls are repeated by those who know what they are for.
            .withRequestRetryBackoffLimit(0)
            .withWatchReconnectInterval(1_000)
            .withUserAgent("spillway-agent/" + version)
            .build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }
}
