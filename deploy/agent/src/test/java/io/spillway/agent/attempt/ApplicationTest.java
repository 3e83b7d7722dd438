package io.spillway.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.gate.Gate;
import io.spillway.agent.gate.GateRules;
import io.spillway.agent.gate.Manifest;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.KubeObjects;
import io.spillway.agent.world.AgentWorld;
import io.spillway.agent.world.Manifests;
import io.spillway.agent.world.MockCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A start of several objects, in the middle of which things change. */
class ApplicationTest {
  private final MockCluster cluster = new MockCluster();
  private final KubernetesClient client = cluster.client();

  @AfterEach
  void end() {
    client.close();
    cluster.close();
  }

  private static List<Manifest> gang() {
    Gate.Verdict verdict =
        new Gate("eks-ohio", GateRules.DEFAULTS)
            .check(
                AgentWorld.A1,
                Gate.Command.START,
                List.of(
                    Manifests.service(AgentWorld.A1).getBytes(StandardCharsets.UTF_8),
                    Manifests.job(AgentWorld.A1, 2).getBytes(StandardCharsets.UTF_8)));
    return ((Gate.Admitted) verdict).manifests();
  }

  @Test
  void a_replica_that_lost_the_lead_in_the_middle_makes_nothing_more() {
    Application application =
        new Application(new KubeObjects(client), () -> cluster.writes().isEmpty());

    assertThatThrownBy(() -> application.apply(AgentWorld.A1, 7, gang(), new AtomicBoolean()))
        .isInstanceOf(ClusterAwayException.class)
        .hasMessageContaining("does not lead");
    assertThat(cluster.writes()).hasSize(1).first().asString().contains("/services/");
    assertThat(client.batch().v1().jobs().inAnyNamespace().list().getItems()).isEmpty();
  }

  @Test
  void what_was_made_before_it_was_given_up_is_told_though_another_call_made_it() throws Exception {
    Application application = new Application(new KubeObjects(client), () -> true);
    application.apply(AgentWorld.A1, 7, gang(), new AtomicBoolean());

    Application.Result result =
        application.apply(AgentWorld.A1, 7, gang(), new AtomicBoolean(true));

    assertThat(result.abandoned()).isTrue();
    assertThat(result.there().values())
        .containsExactly(ObjectFact.Role.SUPPORT, ObjectFact.Role.WORKLOAD);
  }
}
