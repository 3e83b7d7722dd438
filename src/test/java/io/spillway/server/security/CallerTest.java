package io.spillway.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.model.QueueName;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CallerTest {
  private static final QueueName MINE = new QueueName("mine");
  private static final QueueName YOURS = new QueueName("yours");

  @Test
  void only_operators_administrators_and_open_viewers_see_every_queue() {
    assertThat(caller(Role.SUBMITTER, MINE).owns(YOURS)).isFalse();
    assertThat(caller(Role.SUBMITTER, MINE).owns(MINE)).isTrue();
    assertThat(caller(Role.VIEWER, MINE).owns(YOURS)).isFalse();
    assertThat(caller(Role.VIEWER).owns(YOURS)).isTrue();
    assertThat(caller(Role.OPERATOR).owns(YOURS)).isTrue();
    assertThat(caller(Role.ADMIN, MINE).owns(YOURS)).isTrue();
    assertThat(caller(Role.SUBMITTER).owns(MINE)).isFalse();
  }

  @Test
  void a_submitter_who_also_views_is_held_to_its_own_queues() {
    Caller both = new Caller("ada", Set.of(Role.VIEWER, Role.SUBMITTER), new TreeSet<>());
    assertThat(both.owns(YOURS)).isFalse();
  }

  private static Caller caller(Role role, QueueName... queues) {
    return new Caller("ada", Set.of(role), new TreeSet<>(java.util.List.of(queues)));
  }
}
