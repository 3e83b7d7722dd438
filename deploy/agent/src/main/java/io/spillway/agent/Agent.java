package io.spillway.agent;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.gate.Gate;
import io.spillway.agent.lead.Candidate;
import io.spillway.agent.link.Transport;
import io.spillway.agent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** One replica: takes part in the election, and while it leads it has a {@link Tenure}. */
public final class Agent {
  private final Timeline timeline;
  private final Tenure.World world;
  private final Candidate candidate;
  private Optional<Tenure> tenure = Optional.empty();

  /**
   * Who an agent is.
   *
   * @param namespace where its Lease and its memory lie
   * @param identity this replica's
   * @param unschedulableAfter how long a pod may wait for a node before that is a symptom
   */
  public record Self(
      String cluster,
      String namespace,
      String identity,
      String version,
      Duration unschedulableAfter) {}

  public Agent(
      Timeline timeline,
      KubernetesClient client,
      Self self,
      Gate gate,
      Transport transport,
      Supplier<Optional<String>> token) {
    this.timeline = timeline;
    this.candidate =
        new Candidate(
            timeline,
            client,
            self.namespace(),
            self.cluster(),
            self.identity(),
            new Candidate.Listener() {
              @Override
              public void elected() {
                tenure = Optional.of(new Tenure(timeline, client, world()));
                tenure.get().open();
              }

              @Override
              public void deposed() {
                tenure.ifPresent(Tenure::close);
                tenure = Optional.empty();
              }
            });
    this.world =
        new Tenure.World(
            self.cluster(),
            self.namespace(),
            gate,
            transport,
            token,
            self.version(),
            self.unschedulableAfter(),
            candidate::leads);
  }

  private Tenure.World world() {
    return world;
  }

  public void start() {
    timeline.execute(candidate::run);
  }

  /** Gives up the lead. Workloads stay as they are. Only from the timeline. */
  public void stop() {
    candidate.close();
  }

  /** How it fares. Only from the timeline. */
  public Condition condition() {
    return new Condition(
        candidate.reachesCluster(),
        tenure.isPresent(),
        tenure.filter(Tenure::connected).isPresent(),
        tenure.map(Tenure::liveAttempts).orElse(0),
        tenure.map(Tenure::knownNodes).orElse(0),
        tenure.map(Tenure::unacknowledged).orElse(0));
  }

  /** What the health port tells. */
  public record Condition(
      boolean reachesCluster,
      boolean leads,
      boolean connected,
      int attempts,
      int nodes,
      int unacknowledged) {}
}
