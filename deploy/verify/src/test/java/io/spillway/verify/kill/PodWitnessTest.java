package io.spillway.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.verify.kube.PodFact;
import io.spillway.verify.kube.PodFact.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodWitnessTest {
  private static PodFact pod(int at, String pod, String member, Kind kind, Integer... code) {
    return new PodFact(
        at * 1_000_000L,
        Instant.EPOCH,
        "c",
        "ns",
        "J-1",
        1,
        pod,
        member,
        kind,
        Optional.ofNullable(code.length == 0 ? null : code[0]));
  }

  @Test
  void a_gang_starts_with_its_first_pod_and_ends_with_its_last() {
    List<Fact> facts =
        PodWitness.facts(
            List.of(
                pod(1, "a", "member0", Kind.BEGAN),
                pod(2, "b", "member1", Kind.BEGAN),
                pod(3, "a", "member0", Kind.OVER, 0),
                pod(4, "b", "member1", Kind.OVER, 0)));

    assertThat(facts).extracting(Fact::event).containsExactly("start", "end");
    assertThat(facts).extracting(Fact::millis).containsExactly(1L, 4L);
    assertThat(Run.of(facts)).singleElement().matches(Run::succeeded);
  }

  @Test
  void a_member_that_begins_again_is_a_second_start() {
    List<Fact> facts =
        PodWitness.facts(
            List.of(
                pod(1, "a", "member0", Kind.BEGAN),
                pod(3, "a", "member0", Kind.OVER, 1),
                pod(4, "a2", "member0", Kind.BEGAN)));

    assertThat(facts).extracting(Fact::event).containsExactly("start", "end", "start");
  }

  @Test
  void a_machine_that_died_takes_the_exit_codes_with_it() {
    List<Fact> facts =
        PodWitness.facts(
            List.of(pod(1, "a", "member0", Kind.BEGAN), pod(3, "a", "member0", Kind.OVER)));

    assertThat(Run.of(facts)).singleElement().matches(run -> !run.succeeded());
    assertThat(Run.of(facts)).singleElement().matches(run -> run.end().isPresent());
  }
}
