package io.spillway.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.policies.source.SourceFile;
import io.spillway.server.policy.Reload.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReloadTest {
  private static final String NOTHING = "none";
  private final Reload reload = new Reload(Duration.ofSeconds(5));
  private Instant now = Instant.parse("2026-12-01T00:00:00Z");

  @Test
  void a_change_is_offered_once_it_was_the_same_for_five_seconds() {
    List<SourceFile> files = List.of(queue("a"));

    assertThat(look(files, NOTHING)).isInstanceOf(Verdict.Wait.class);
    later(4);
    assertThat(look(files, NOTHING)).isInstanceOf(Verdict.Wait.class);
    later(1);
    assertThat(look(files, NOTHING)).isInstanceOf(Verdict.Offer.class);
    later(1);
    assertThat(look(files, NOTHING)).as("once is enough").isInstanceOf(Verdict.Wait.class);
  }

  @Test
  void a_copy_in_progress_is_waited_for() {
    for (int round = 1; round <= 4; round++) {
      assertThat(look(List.of(queue("a")), NOTHING)).isInstanceOf(Verdict.Wait.class);
      later(3);
      assertThat(look(List.of(queue("a"), queue("b" + round)), NOTHING))
          .as("changed after three seconds")
          .isInstanceOf(Verdict.Wait.class);
      later(3);
    }
  }

  @Test
  void what_is_in_force_already_is_not_offered_again_whatever_its_comments_say() {
    List<SourceFile> files = List.of(queue("a"));
    look(files, NOTHING);
    later(5);
    Verdict.Offer offer = (Verdict.Offer) look(files, NOTHING);
    String version = offer.set().policies().version();

    List<SourceFile> commented =
        List.of(new SourceFile("renamed.yaml", "# a word\n" + queue("a").content()));
    assertThat(look(commented, version)).isInstanceOf(Verdict.Wait.class);
    later(5);
    assertThat(look(commented, version)).isInstanceOf(Verdict.Same.class);
  }

  @Test
  void a_bad_set_is_told_with_its_findings_and_its_repair_is_offered() {
    List<SourceFile> bad =
        List.of(new SourceFile("q.yaml", queue("a").content().replace("placement", "placment")));
    look(bad, NOTHING);
    later(5);

    Verdict verdict = look(bad, NOTHING);

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Bad.class,
            told -> {
              assertThat(told.fault().message()).contains("q.yaml:4:", "stay in force");
              assertThat(told.fault().findings()).isNotEmpty();
            });
    look(List.of(queue("a")), NOTHING);
    later(5);
    assertThat(look(List.of(queue("a")), NOTHING)).isInstanceOf(Verdict.Offer.class);
  }

  @Test
  void an_empty_directory_is_a_fault_and_no_empty_set() {
    look(List.of(), NOTHING);
    later(5);

    assertThat(look(List.of(), NOTHING)).isInstanceOf(Verdict.Bad.class);
  }

  @Test
  void what_could_not_be_stored_is_offered_again() {
    List<SourceFile> files = List.of(queue("a"));
    look(files, NOTHING);
    later(5);
    look(files, NOTHING);

    reload.again();

    assertThat(look(files, NOTHING)).isInstanceOf(Verdict.Offer.class);
  }

  private Verdict look(List<SourceFile> files, String inForce) {
    return reload.look(files, now, inForce);
  }

  private void later(int seconds) {
    now = now.plusSeconds(seconds);
  }

  private static SourceFile queue(String name) {
    return new SourceFile(
        name + ".yaml",
        """
        apiVersion: spillway.io/v1beta1
        kind: Queue
        metadata: {name: %s}
        spec: {placement: {ladder: [{name: any}]}}
        """
            .formatted(name));
  }
}
