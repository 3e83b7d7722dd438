package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Node;
import io.spillway.protocol.v1.Nodes;
import io.spillway.protocol.v1.Present;
import io.spillway.protocol.v1.Sweep;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists that are larger than a frame. */
class ListPartsTest {
  private final ListParts parts = new ListParts();

  private static AgentMessage nodes(long seq, boolean complete, boolean more, String... names) {
    Nodes.Builder nodes = Nodes.newBuilder().setComplete(complete).setMore(more);
    for (String name : names) {
      nodes.addNodes(Node.newBuilder().setName(name));
    }
    return AgentMessage.newBuilder().setSeq(seq).setNodes(nodes).build();
  }

  private static List<String> names(AgentMessage message) {
    return message.getNodes().getNodesList().stream().map(Node::getName).toList();
  }

  @Test
  void a_list_of_nodes_counts_once_it_is_whole_or_the_rest_of_them_would_be_gone() {
    assertThat(parts.whole(nodes(1, true, true, "a", "b"))).isEmpty();
    assertThat(parts.whole(nodes(2, false, true, "c"))).isEmpty();
    AgentMessage whole = parts.whole(nodes(3, false, false, "d")).orElseThrow();
    assertThat(whole.getNodes().getComplete()).isTrue();
    assertThat(whole.getNodes().getMore()).isFalse();
    assertThat(whole.getSeq()).isEqualTo(3);
    assertThat(names(whole)).containsExactly("a", "b", "c", "d");

    AgentMessage change = nodes(4, false, false, "e");
    assertThat(parts.whole(change)).contains(change);
  }

  @Test
  void a_list_that_is_begun_anew_forgets_what_came_before() {
    assertThat(parts.whole(nodes(1, true, true, "a"))).isEmpty();
    assertThat(names(parts.whole(nodes(2, true, false, "b")).orElseThrow())).containsExactly("b");
  }

  @Test
  void a_sweep_counts_once_it_is_whole_too() {
    assertThat(parts.whole(sweep(1, true, "one"))).isEmpty();
    AgentMessage whole = parts.whole(sweep(2, false, "two")).orElseThrow();
    assertThat(whole.getSweep().getPresentList())
        .extracting(Present::getAttempt)
        .containsExactly("one", "two");
    AgentMessage next = sweep(3, false, "three");
    assertThat(parts.whole(next)).contains(next);
  }

  private static AgentMessage sweep(long seq, boolean more, String attempt) {
    return AgentMessage.newBuilder()
        .setSeq(seq)
        .setSweep(
            Sweep.newBuilder().setMore(more).addPresent(Present.newBuilder().setAttempt(attempt)))
        .build();
  }
}
