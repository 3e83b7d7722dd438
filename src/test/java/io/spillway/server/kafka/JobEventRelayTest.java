package io.spillway.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobEventRelayTest {

  @Test
  void a_commit_of_more_events_than_the_channel_takes_at_once_is_sent_whole_and_in_order() {
    List<Integer> events = IntStream.range(0, 10_000).boxed().toList();
    List<Integer> sent = new ArrayList<>();
    Deque<UniEmitter<? super Void>> unanswered = new ArrayDeque<>();
    int[] most = new int[1];

    var done =
        JobEventRelay.inOrder(
                events,
                event ->
                    Uni.createFrom()
                        .emitter(
                            answer -> {
                              sent.add(event);
                              unanswered.add(answer);
                              most[0] = Math.max(most[0], unanswered.size());
                            }))
            .subscribeAsCompletionStage();
    while (!unanswered.isEmpty()) {
      unanswered.remove().complete(null);
    }

    assertThat(done).isCompleted();
    assertThat(sent).isEqualTo(events);
    assertThat(most[0]).isEqualTo(JobEventRelay.AT_ONCE);
  }

  @Test
  void nothing_to_send_is_done_at_once() {
    assertThat(
            JobEventRelay.inOrder(List.of(), event -> Uni.createFrom().voidItem())
                .subscribeAsCompletionStage())
        .isCompleted();
  }
}
