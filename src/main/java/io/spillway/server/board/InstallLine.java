package io.spillway.server.board;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.server.config.InstallConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The line that an administrator pastes to attach a cluster: what the chart {@code
 * deploy/helm/spillway-agent} needs and nothing that it can know itself.
 *
 * <p>The namespaces are those of all queues under the policies of this moment, so that jobs can run
 * at once; the chart gives rights in listed namespaces only. Every word is quoted for the shell
 * where it must be: a caller's Host header may stand in it.
 */
@ApplicationScoped
public class InstallLine {
  private static final String RELEASE = "spillway-agent";
  private static final String NAMESPACE = "spillway-system";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:/@%+=-]+");

  private final InstallConfig config;

  InstallLine(InstallConfig config) {
    this.config = config;
  }

  /**
   * For a cluster without an agent.
   *
   * @param asFound where the caller found this server; the configured place counts more
   */
  String first(PolicySet policies, ClusterName cluster, String asFound, String token) {
    List<String> words = new ArrayList<>(List.of("helm", "install", RELEASE, config.chart()));
    words.addAll(List.of("--namespace", NAMESPACE, "--create-namespace"));
    set(words, "cluster", cluster.value());
    set(words, "server", config.server().orElse(asFound));
    set(words, "token", token);
    config.image().ifPresent(image -> set(words, "image.repository", image));
    List<String> namespaces = namespaces(policies, cluster);
    if (!namespaces.isEmpty()) {
      words.addAll(List.of("--set", "namespaces={" + String.join(",", namespaces) + "}"));
    }
    return line(words);
  }

  /** For an agent that is there and gets another token; what else was set stays. */
  String rotated(String token) {
    List<String> words = new ArrayList<>(List.of("helm", "upgrade", RELEASE, config.chart()));
    words.addAll(List.of("--namespace", NAMESPACE, "--reset-then-reuse-values"));
    set(words, "token", token);
    return line(words);
  }

  private static List<String> namespaces(PolicySet policies, ClusterName cluster) {
    ClusterPolicy policy = policies.clusters().get(cluster);
    return policies.queues().keySet().stream()
        .map(queue -> policy.namespace().replace("{queue}", queue.value()))
        .distinct()
        .sorted()
        .toList();
  }

  /** Helm reads a comma as the beginning of the next value. */
  private static void set(List<String> words, String key, String value) {
    words.addAll(List.of("--set", key + '=' + value.replace(",", "\\,")));
  }

  private static String line(List<String> words) {
    return words.stream()
        .map(word -> PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }
}
