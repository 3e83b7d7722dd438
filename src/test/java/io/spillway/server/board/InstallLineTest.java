package io.spillway.server.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.server.config.InstallConfig;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The line that an administrator pastes. deploy/verify gives it to the real Helm. */
class InstallLineTest {
  private static final ClusterName OHIO = new ClusterName("eks-ohio");

  @Test
  void it_attaches_a_cluster_with_the_namespaces_of_all_queues() {
    assertThat(
            line(Optional.empty(), Optional.empty())
                .first(policies("spillway-{queue}"), OHIO, "https://spillway.example", "swa_x-1"))
        .isEqualTo(
            "helm install spillway-agent deploy/helm/spillway-agent --namespace spillway-system"
                + " --create-namespace --set cluster=eks-ohio --set server=https://spillway.example"
                + " --set token=swa_x-1 --set 'namespaces={spillway-nlp,spillway-research}'");
  }

  @Test
  void a_namespace_that_all_queues_share_stands_once() {
    assertThat(
            line(Optional.empty(), Optional.empty())
                .first(policies("jobs"), OHIO, "https://spillway.example", "swa_x"))
        .endsWith(" --set 'namespaces={jobs}'");
  }

  @Test
  void what_is_configured_counts_more_than_how_the_caller_found_it() {
    assertThat(
            line(Optional.of("https://public.example"), Optional.of("registry.example/agent"))
                .first(policies("jobs"), OHIO, "http://10.0.0.1:8080", "swa_x"))
        .contains(" --set server=https://public.example ")
        .contains(" --set image.repository=registry.example/agent ")
        .doesNotContain("10.0.0.1");
  }

  @Test
  void a_hostile_host_header_stays_a_word_of_the_shell_and_of_helm() {
    assertThat(
            line(Optional.empty(), Optional.empty())
                .first(policies("jobs"), OHIO, "http://a$(id)',rbac.scope=cluster", "swa_x"))
        .contains(" '" + "server=http://a$(id)'\\''" + "\\,rbac.scope=cluster' ");
  }

  @Test
  void a_new_token_leaves_all_else_as_it_was() {
    assertThat(line(Optional.empty(), Optional.empty()).rotated("swa_y"))
        .isEqualTo(
            "helm upgrade spillway-agent deploy/helm/spillway-agent --namespace spillway-system"
                + " --reset-then-reuse-values --set token=swa_y");
  }

  private static InstallLine line(Optional<String> server, Optional<String> image) {
    return new InstallLine(new Configured(server, "deploy/helm/spillway-agent", image));
  }

  private record Configured(Optional<String> server, String chart, Optional<String> image)
      implements InstallConfig {}

  private static PolicySet policies(String namespace) {
    String queue = "apiVersion: spillway.io/v1beta1\nkind: Queue\nmetadata: {name: %s}\n";
    String rest = "spec: {placement: {ladder: [{name: any, capacityTypes: [spot]}]}}\n---\n";
    String cluster =
        """
        apiVersion: spillway.io/v1beta1
        kind: Cluster
        metadata: {name: eks-ohio}
        spec:
          provider: aws
          region: us-east-2
          namespace: "%s"
          capacity: [{instanceType: p5.48xlarge, capacityTypes: [spot], zones: [use2-az1], maxNodes: 4}]
        """
            .formatted(namespace);
    String text = queue.formatted("research") + rest + queue.formatted("nlp") + rest + cluster;
    return ((Compiled) PolicyCompiler.compile(List.of(new SourceFile("all.yaml", text))))
        .policies();
  }
}
