package io.spillway.server.policy;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.View;
import io.spillway.server.loop.CommitListener;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/**
 * The policy set that the loop adopted, on every replica. Any thread may ask.
 *
 * <p>Before the first set is adopted it is {@link PolicySet#EMPTY}, whose version is {@code none}.
 */
@ApplicationScoped
public class LivePolicies implements CommitListener {
  private final PolicyVersions versions;
  private volatile PolicySet current = PolicySet.EMPTY;
  private volatile boolean loaded;

  LivePolicies(PolicyVersions versions) {
    this.versions = versions;
  }

  /** Whether this replica has loaded its state; before, it cannot tell which queues there are. */
  public boolean loaded() {
    return loaded;
  }

  public PolicySet current() {
    return current;
  }

  public String version() {
    return current.version();
  }

  /** The files of the set in force; empty before the first. Never blocks. */
  public Uni<Optional<StoredPolicies>> stored() {
    return versions.find(version());
  }

  /** The files of a version. Never blocks. */
  public Uni<Optional<StoredPolicies>> stored(String version) {
    return versions.find(version);
  }

  /** Versions that were ever offered, newest first, without their files. Never blocks. */
  public Uni<List<StoredPolicies>> versions(int limit) {
    return versions.list(limit);
  }

  @Override
  public void committed(Commit commit, View after) {
    current = after.policies();
    loaded = true;
  }

  @Override
  public void reset(boolean leading, View now) {
    current = now.policies();
    loaded = true;
  }
}
