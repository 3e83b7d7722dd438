package io.spillway.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.model.QueueName;
import io.spillway.server.loop.StateReader;
import io.spillway.server.policy.PolicyConfig.Source;
import io.spillway.server.world.Orders;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real store, inbox and loop. Other tests live under the same policies, so each change here keeps
 * what is in force and adds a queue.
 */
@QuarkusTest
class PolicyEditingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Inject LivePolicies live;
  @Inject PolicyVersions versions;
  @Inject PolicyOffers offers;
  @Inject StateReader state;
  @TempDir Path folder;
  private PolicyEditing editing;

  @BeforeEach
  void start() {
    await().atMost(PATIENCE).until(state::leading);
    editing = new PolicyEditing(new Config(Source.API, Optional.empty()), live, versions, offers);
  }

  @Test
  void a_set_that_was_put_is_in_force_and_readable_as_it_was_written() {
    String queue = fresh();
    List<SourceFile> files = with(queue);

    PolicyChange.Accepted accepted =
        (PolicyChange.Accepted) now(editing.put(files, live.version(), "ada"));

    assertThat(accepted.inForce()).isTrue();
    await().atMost(PATIENCE).until(() -> live.version().equals(accepted.version()));
    assertThat(live.current().queues()).containsKey(new QueueName(queue));
    StoredPolicies stored = now(live.stored(live.version())).orElseThrow();
    assertThat(stored.files()).isEqualTo(files);
    assertThat(stored.author()).isEqualTo("ada");
    assertThat(now(live.versions(100)))
        .extracting(StoredPolicies::version)
        .contains(accepted.version());
  }

  @Test
  void of_many_who_read_the_same_version_and_write_at_once_one_succeeds() {
    String read = live.version();
    List<Uni<PolicyChange>> writes =
        IntStream.range(0, 30)
            .mapToObj(i -> editing.put(with(fresh()), read, "user-" + i))
            .toList();

    List<PolicyChange> outcomes = now(Uni.join().all(writes).andFailFast());

    assertThat(outcomes).filteredOn(PolicyChange.Accepted.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(PolicyChange.Conflict.class::isInstance).hasSize(29);
  }

  @Test
  void a_bad_set_changes_nothing() {
    String before = live.version();
    List<SourceFile> bad = new ArrayList<>(with(fresh()));
    bad.add(new SourceFile("bad.yaml", "kind: Nothing\n"));

    assertThat(now(editing.put(bad, before, "ada"))).isInstanceOf(PolicyChange.Invalid.class);
    assertThat(live.version()).isEqualTo(before);
  }

  @Test
  void an_older_version_comes_back_by_its_name() {
    PolicyChange.Accepted first =
        (PolicyChange.Accepted) now(editing.put(with(fresh()), live.version(), "ada"));
    await().atMost(PATIENCE).until(() -> live.version().equals(first.version()));
    PolicyChange.Accepted second =
        (PolicyChange.Accepted) now(editing.put(with(fresh()), live.version(), "ada"));
    await().atMost(PATIENCE).until(() -> live.version().equals(second.version()));

    assertThat(now(editing.rollback(first.version(), "ada")))
        .isEqualTo(new PolicyChange.Accepted(first.version(), first.warnings(), true));
    await().atMost(PATIENCE).until(() -> live.version().equals(first.version()));
    assertThat(now(editing.rollback("0".repeat(64), "ada")))
        .isInstanceOf(PolicyChange.UnknownVersion.class);
  }

  @Test
  void under_a_directory_users_are_sent_to_it() {
    Path home = Path.of("conf/policies");
    PolicyEditing owned =
        new PolicyEditing(new Config(Source.DIRECTORY, Optional.of(home)), live, versions, offers);

    assertThat(now(owned.put(with(fresh()), live.version(), "ada")))
        .isEqualTo(new PolicyChange.OwnedByDirectory(Optional.of(home)));
    assertThat(now(owned.rollback(live.version(), "ada")))
        .isInstanceOf(PolicyChange.OwnedByDirectory.class);
  }

  @Test
  void the_directory_is_followed_and_a_bad_edit_is_shown_and_changes_nothing() throws IOException {
    String queue = fresh();
    write(with(queue));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    DirectoryWatch watch =
        new DirectoryWatch(
            new Config(Source.DIRECTORY, Optional.of(folder)),
            live,
            versions,
            offers,
            state,
            meters);
    watch.start(new StartupEvent());
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> live.current().queues().containsKey(new QueueName(queue)));
      assertThat(now(live.stored(live.version())).orElseThrow().author()).isEqualTo("directory");
      String good = live.version();

      Files.writeString(folder.resolve("bad.yaml"), "kind: Nothing\n");
      await().atMost(PATIENCE).until(() -> watch.lastError().isPresent());
      assertThat(watch.lastError().orElseThrow().message()).contains("bad.yaml:1:1");
      assertThat(successful(meters)).isZero();
      assertThat(live.version()).isEqualTo(good);

      Files.delete(folder.resolve("bad.yaml"));
      await().atMost(PATIENCE).until(() -> watch.lastError().isEmpty());
      assertThat(successful(meters)).isEqualTo(1);
    } finally {
      watch.stop(new ShutdownEvent());
    }
  }

  private static double successful(SimpleMeterRegistry meters) {
    return meters.get("spillway.policy.last.reload.successful").gauge().value();
  }

  private void write(List<SourceFile> files) throws IOException {
    for (SourceFile file : files) {
      Files.writeString(folder.resolve(file.name().replace('/', '-')), file.content());
    }
  }

  /** The files in force and one more with that queue. */
  private List<SourceFile> with(String queue) {
    List<SourceFile> files =
        new ArrayList<>(now(live.stored()).map(StoredPolicies::files).orElse(List.of()));
    files.add(
        new SourceFile(
            queue + ".yaml",
            """
            apiVersion: spillway.io/v1beta1
            kind: Queue
            metadata: {name: %s}
            spec: {placement: {ladder: [{name: any}]}}
            """
                .formatted(queue)));
    return files;
  }

  private static String fresh() {
    return "policy-" + Orders.freshId().toString().toLowerCase(Locale.ROOT);
  }

  private static <T> T now(Uni<T> answer) {
    return answer.await().atMost(PATIENCE);
  }

  private record Config(Source source, Optional<Path> directory) implements PolicyConfig {
    @Override
    public Duration settle() {
      return Duration.ofMillis(200);
    }

    @Override
    public Duration poll() {
      return Duration.ofMillis(50);
    }
  }
}
