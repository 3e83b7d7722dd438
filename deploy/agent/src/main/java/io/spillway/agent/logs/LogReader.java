package io.spillway.agent.logs;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.spillway.agent.attempt.PodFact;
import io.spillway.agent.kube.Labels;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads one pod's log to its end. Blocks; on a thread of its own. */
final class LogReader {
  /** What the container's log is worth to a person; a flood is cut, and said to be. */
  private static final int MOST_BYTES = 64 << 20;

  private static final int PIECE = 32 << 10;
  private static final String MAIN = "main";
  private static final String GIVEN_UP = "given up";

  private final KubernetesClient client;
  private final String cluster;

  LogReader(KubernetesClient client, String cluster) {
    this.client = client;
    this.cluster = cluster;
  }

  /** What is wanted. */
  record Wanted(String attempt, int node, boolean follow, long sinceMillis) {}

  /** For whom a log is read. */
  interface Listener {
    /** Closing it, from any thread, ends a reading that waits for the container's next line. */
    void opened(Closeable log);

    /** Takes the next bytes, and may block until there is room. */
    void piece(byte[] bytes);

    /** Asked before each piece. */
    boolean goesOn();
  }

  /**
   * @return why there is no more, if not because the log is at its end
   */
  Optional<String> read(Wanted wanted, Listener listener) {
    try {
      Optional<PodFact> pod = pod(wanted);
      if (pod.isEmpty()) {
        return Optional.of(
            "no pod of node " + wanted.node() + " of " + wanted.attempt() + " is there any more");
      }
      if (!pod.get().hasRun()) {
        return Optional.of("its container has not started");
      }
      var log =
          client
              .pods()
              .inNamespace(pod.get().namespace())
              .withName(pod.get().name())
              .inContainer(container(pod.get()));
      int seconds = (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(wanted.sinceMillis(), 1000L));
      var since = seconds > 0 ? log.sinceSeconds(seconds) : log;
      if (wanted.follow()) {
        try (LogWatch watch = since.watchLog();
            InputStream in = watch.getOutput()) {
          return pump(in, listener);
        }
      }
      try (InputStream in = since.getLogInputStream()) {
        return pump(in, listener);
      }
    } catch (KubernetesClientException | IOException e) {
      return Optional.of(
          listener.goesOn() ? "the log cannot be read: " + e.getMessage() : GIVEN_UP);
    }
  }

  private static Optional<String> pump(InputStream in, Listener listener) throws IOException {
    listener.opened(in);
    byte[] buffer = new byte[PIECE];
    long sent = 0;
    while (listener.goesOn()) {
      int read = in.read(buffer);
      if (read < 0) {
        return listener.goesOn() ? Optional.empty() : Optional.of(GIVEN_UP);
      }
      if (read > 0) {
        sent += read;
        listener.piece(java.util.Arrays.copyOf(buffer, read));
      }
      if (sent >= MOST_BYTES) {
        return Optional.of("cut after " + MOST_BYTES + " bytes");
      }
    }
    return Optional.of(GIVEN_UP);
  }

  /**
   * Member n of a gang. Of an MPIJob node 0 is its launcher, whose log is the job's, and node n its
   * worker n − 1.
   */
  private Optional<PodFact> pod(Wanted wanted) {
    List<Pod> pods =
        client
            .pods()
            .inAnyNamespace()
            .withLabelSelector(
                Labels.ofAttempts(cluster)
                    .replace(Labels.ATTEMPT + ",", Labels.ATTEMPT + "=" + wanted.attempt() + ","))
            .list()
            .getItems();
    List<PodFact> facts =
        pods.stream()
            .map(PodFact::of)
            .flatMap(Optional::stream)
            .filter(pod -> pod.part() != PodFact.Part.PLACEHOLDER)
            .sorted(Comparator.comparing(PodFact::part).thenComparingInt(PodFact::rank))
            .toList();
    boolean launched = facts.stream().anyMatch(pod -> pod.part() == PodFact.Part.LAUNCHER);
    return facts.stream()
        .filter(
            pod ->
                launched
                    ? wanted.node() == 0
                        ? pod.part() == PodFact.Part.LAUNCHER
                        : pod.part() == PodFact.Part.WORKER && pod.rank() == wanted.node() - 1
                    : pod.rank() == wanted.node())
        .findFirst();
  }

  /** The job's own container; or, in a pod that somebody else described, its first. */
  private String container(PodFact pod) {
    Pod found = client.pods().inNamespace(pod.namespace()).withName(pod.name()).get();
    List<String> names =
        found == null
            ? List.of()
            : found.getSpec().getContainers().stream().map(Container::getName).toList();
    return names.isEmpty() || names.contains(MAIN) ? MAIN : names.getFirst();
  }
}
