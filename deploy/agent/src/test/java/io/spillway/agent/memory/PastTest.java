package io.spillway.agent.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.world.MockCluster;
import io.spillway.agent.world.VirtualTimeline;
import io.spillway.protocol.v1.EndCause;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an agent remembers, when it is much. */
class PastTest {
  private static final int MEBIBYTE = 1 << 20;

  private final MockCluster cluster = new MockCluster();
  private final VirtualTimeline time = new VirtualTimeline();
  private final KubernetesClient client = cluster.client();
  private final MemoryMap maps = new MemoryMap(client, "spillway", "eks-ohio");
  private final Lanes lanes = new Lanes(time, () -> true, 4);

  @AfterEach
  void end() {
    lanes.close();
    client.close();
    cluster.close();
  }

  private static String attempt(int i) {
    return "01JD00000000000000" + String.format("%08d", i) + "-1";
  }

  private Fate ended(String words, List<Integer> exitCodes) {
    return new Fate(
        Fate.Kind.ENDED,
        7,
        time.now().getEpochSecond(),
        EndCause.END_CAUSE_EXITED,
        exitCodes,
        0,
        words);
  }

  @Test
  void thousands_of_ends_at_once_are_kept_in_maps_that_kubernetes_takes()
      throws ClusterAwayException {
    Past past = new Past(time, lanes, maps, Past.load(maps));
    AtomicInteger durable = new AtomicInteger();
    List<Integer> largeGang = java.util.Collections.nCopies(4_000, 137);
    for (int i = 0; i < 2_500; i++) {
      Fate fate = ended("x".repeat(512), i % 50 == 0 ? largeGang : List.of(1));
      past.put(attempt(i), fate, durable::incrementAndGet);
    }
    time.until("all are durable", past::settled);

    assertThat(durable).hasValue(2_500);
    assertThat(client.configMaps().inNamespace("spillway").list().getItems())
        .isNotEmpty()
        .allSatisfy(map -> assertThat(bytes(map)).isLessThan(MEBIBYTE));
    assertThat(Past.load(maps).fates()).hasSize(2_500);
  }

  private static int bytes(ConfigMap map) {
    return map.getData().entrySet().stream()
        .mapToInt(
            entry ->
                entry.getKey().length() + entry.getValue().getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }

  @Test
  void the_oldest_are_forgotten_before_all_of_them_fill_the_heap() {
    SortedMap<Integer, Past.Segment> segments = new TreeMap<>();
    Map<String, Fate> fates = new HashMap<>();
    for (int i = 1; i <= 80; i++) {
      fates.put(attempt(i), ended("", List.of(0)));
      // The newest knows of the first attempt, too.
      List<String> attempts = i == 80 ? List.of(attempt(80), attempt(1)) : List.of(attempt(i));
      segments.put(i, new Past.Segment(attempts, 512 << 10, time.now().getEpochSecond()));
    }
    Past past = new Past(time, lanes, maps, new Past.Kept(fates, segments));
    past.put(attempt(1_000), ended("", List.of(0)), () -> {});

    time.until("the second is forgotten", () -> past.of(attempt(2)).isEmpty());
    time.until("enough are forgotten", () -> past.of(attempt(16)).isEmpty());
    assertThat(past.of(attempt(1))).isPresent();
    assertThat(past.of(attempt(40))).isPresent();
    assertThat(past.of(attempt(80))).isPresent();
    assertThat(past.of(attempt(1_000))).isPresent();
  }
}
