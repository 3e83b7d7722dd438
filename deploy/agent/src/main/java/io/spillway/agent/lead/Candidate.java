package io.spillway.agent.lead;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.spillway.agent.time.Timeline;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One replica's part in the election. As in client-go, another's lease has run out when it was not
 * renewed for its whole time by <em>our</em> monotonic clock since we saw it change; clocks of two
 * machines are never compared. Whoever cannot renew for {@link #GIVE_UP} stops acting before the
 * other may begin. Methods only from the timeline, except {@link #leads}.
 */
public final class Candidate {
  private static final Logger LOG = Logger.getLogger(Candidate.class.getName());
  private static final String NAME = "spillway-agent";
  // client-go's defaults: 15 s, 10 s, 2 s.
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration GIVE_UP = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final Timeline timeline;
  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final String identity;
  private final Listener listener;

  private volatile boolean leading;
  private volatile long renewedMillis;
  private Optional<Seen> seen = Optional.empty();
  private boolean closed;
  private boolean reached;

  private record Seen(String version, long millis) {}

  /** Told on the timeline. */
  public interface Listener {
    void elected();

    void deposed();
  }

  public Candidate(
      Timeline timeline,
      KubernetesClient client,
      String namespace,
      String cluster,
      String identity,
      Listener listener) {
    this.timeline = timeline;
    this.client = client;
    this.namespace = namespace;
    this.name = NAME + "-" + cluster;
    this.identity = identity;
    this.listener = listener;
  }

  public void run() {
    round();
  }

  /** Whether this replica acts, right now. From any thread. */
  public boolean leads() {
    return leading && timeline.millis() - renewedMillis < GIVE_UP.toMillis();
  }

  /** Whether the API server answered the last round. */
  public boolean reachesCluster() {
    return reached;
  }

  /** Takes part no more; lets go of the lease, so that the other need not wait. */
  public void close() {
    closed = true;
    if (leading) {
      leading = false;
      listener.deposed();
      letGo();
    }
  }

  private void round() {
    if (closed) {
      return;
    }
    long asked = timeline.millis();
    Optional<Seen> known = seen;
    Thread.ofVirtual()
        .name("lease")
        .start(
            () -> {
              Answer answer = ask(known);
              timeline.execute(() -> heard(asked, answer));
            });
  }

  /** What a round found. */
  private record Answer(boolean reached, boolean mine, Optional<String> version) {}

  private Answer ask(Optional<Seen> known) {
    try {
      Lease lease = client.leases().inNamespace(namespace).withName(name).get();
      if (lease == null) {
        return write(new LeaseBuilder().withNewMetadata().withName(name).endMetadata().build());
      }
      LeaseSpec spec = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
      String holder = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
      String version = lease.getMetadata().getResourceVersion();
      boolean free = holder.isEmpty() || holder.equals(identity) || ranOut(known, version, spec);
      return free ? write(lease) : new Answer(true, false, Optional.of(version));
    } catch (KubernetesClientException e) {
      LOG.log(Level.FINE, e, () -> "lease " + namespace + "/" + name + ": " + e.getMessage());
      return new Answer(e.getCode() == 409, false, Optional.empty());
    }
  }

  private boolean ranOut(Optional<Seen> known, String version, LeaseSpec spec) {
    long time =
        Optional.ofNullable(spec.getLeaseDurationSeconds())
            .map(seconds -> seconds * 1000L)
            .orElse(LEASE.toMillis());
    return known
        .filter(s -> s.version().equals(version))
        .filter(s -> timeline.millis() - s.millis() > time)
        .isPresent();
  }

  private Answer write(Lease lease) {
    LeaseSpec old = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
    boolean same = identity.equals(old.getHolderIdentity());
    int transitions = Objects.requireNonNullElse(old.getLeaseTransitions(), 0);
    ZonedDateTime now = ZonedDateTime.ofInstant(timeline.now(), ZoneOffset.UTC);
    Lease mine =
        new LeaseBuilder(lease)
            .withNewSpec()
            .withHolderIdentity(identity)
            .withLeaseDurationSeconds((int) LEASE.toSeconds())
            .withAcquireTime(same && old.getAcquireTime() != null ? old.getAcquireTime() : now)
            .withRenewTime(now)
            .withLeaseTransitions(same ? transitions : transitions + 1)
            .endSpec()
            .build();
    var leases = client.leases().inNamespace(namespace);
    // The version that was read stands in it: of two that write, one is refused.
    Lease written =
        lease.getMetadata().getResourceVersion() == null
            ? leases.resource(mine).create()
            : leases.resource(mine).update();
    return new Answer(true, true, Optional.of(written.getMetadata().getResourceVersion()));
  }

  private void heard(long asked, Answer answer) {
    if (closed) {
      return;
    }
    reached = answer.reached();
    answer
        .version()
        .filter(v -> seen.filter(s -> s.version().equals(v)).isEmpty())
        .ifPresent(v -> seen = Optional.of(new Seen(v, asked)));
    if (answer.mine()) {
      renewedMillis = asked;
      if (!leading) {
        leading = true;
        LOG.info(() -> identity + " leads");
        listener.elected();
      }
    } else if (leading && (anothers(answer) || !leads())) {
      leading = false;
      LOG.warning(() -> identity + " leads no more");
      listener.deposed();
    }
    var _ = timeline.after(RETRY, this::round);
  }

  private static boolean anothers(Answer answer) {
    return answer.reached() && answer.version().isPresent();
  }

  private void letGo() {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Lease lease = client.leases().inNamespace(namespace).withName(name).get();
                if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
                  Lease free =
                      new LeaseBuilder(lease).editSpec().withHolderIdentity("").endSpec().build();
                  client.leases().inNamespace(namespace).resource(free).update();
                }
              } catch (KubernetesClientException e) {
                LOG.log(Level.FINE, e, () -> "the lease was not let go; it runs out by itself");
              }
            });
  }
}
