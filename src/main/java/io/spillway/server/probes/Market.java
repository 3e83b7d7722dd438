package io.spillway.server.probes;

import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.View;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.StateReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;

/**
 * The scheduler's side of a probe: what policies want to know of a provider's market, and where new
 * words of it go.
 */
final class Market {
  private static final Logger LOG = Logger.getLogger(Market.class);

  /** Half of the shortest age at which the core distrusts a price (one hour for spot). */
  private static final Duration REPEAT_AFTER = Duration.ofMinutes(30);

  private static final int INPUTS_PER_ROW = 200;

  private final StateReader state;
  private final Inbox inbox;
  private final LastSeen lastSeen;
  private final ObservationChange change = new ObservationChange(REPEAT_AFTER);

  Market(StateReader state, Inbox inbox, LastSeen lastSeen) {
    this.state = state;
    this.inbox = inbox;
    this.lastSeen = lastSeen;
  }

  boolean leading() {
    return state.leading();
  }

  /** Instance types of that provider that the policies could use. */
  CompletionStage<Set<String>> interest(String provider) {
    return state.read(view -> interest(view.policies(), provider));
  }

  private static Set<String> interest(PolicySet policies, String provider) {
    Set<String> types = new TreeSet<>();
    policies.clusters().values().stream()
        .filter(cluster -> cluster.provider().equals(provider))
        .flatMap(cluster -> cluster.capacity().stream())
        .map(ClusterPolicy.Capacity::instanceType)
        .forEach(types::add);
    policies
        .pools()
        .values()
        .forEach(
            pool ->
                Optional.ofNullable(policies.clusters().get(pool.cluster()))
                    .filter(cluster -> cluster.provider().equals(provider))
                    .ifPresent(cluster -> types.add(pool.instanceType())));
    return types;
  }

  /** Makes inputs of what is new; a failure costs nothing but time: the next run tells it again. */
  void tell(String actor, List<Observation> seen) {
    lastSeen.saw(seen);
    state
        .read(view -> changed(view, seen))
        .thenAccept(changed -> append(actor, changed))
        .exceptionally(
            failure -> {
              LOG.errorf(failure, "%s observations could not be told", actor);
              return null;
            });
  }

  private List<Observation> changed(View view, List<Observation> seen) {
    return seen.stream()
        .filter(observation -> change.matters(view.observation(observation.key()), observation))
        .toList();
  }

  private void append(String actor, List<Observation> changed) {
    for (int from = 0; from < changed.size(); from += INPUTS_PER_ROW) {
      List<Input> inputs =
          changed.subList(from, Math.min(changed.size(), from + INPUTS_PER_ROW)).stream()
              .<Input>map(ObservationChanged::new)
              .toList();
      inbox
          .append(Lane.OBSERVATIONS, actor, inputs)
          .subscribe()
          .with(
              done -> {},
              failure ->
                  LOG.warnf(
                      "%s observations wait for the next run: %s", actor, failure.getMessage()));
    }
  }
}
