package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.state.NodeStatus;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A node that an agent reported, and the attempts on it.
 *
 * @param id the provider's instance id
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A node that an agent reported")
public record NodeAnswer(
    String id,
    String name,
    String cluster,
    String zone,
    String instanceType,
    String capacityType,
    String gpu,
    int gpus,
    boolean ready,
    List<String> healthSigns,
    List<String> attempts) {

  static NodeAnswer of(NodeStatus status) {
    ReportedNode node = status.node();
    return new NodeAnswer(
        node.providerId(),
        node.name(),
        status.cluster().value(),
        node.zone(),
        node.instanceType(),
        node.capacityType().text(),
        node.shape().gpu().name(),
        node.shape().gpus(),
        node.ready(),
        node.healthSigns(),
        status.attempts().stream().map(Object::toString).toList());
  }
}
