package io.spillway.scheduler.state;

import io.spillway.scheduler.policy.ClusterPolicy;
import java.util.Optional;

/**
 * A cluster as it stands.
 *
 * @param policy empty for one that no policy names any more
 * @param nodes reported ones
 * @param attempts that take up nodes there
 */
public record ClusterStatus(
    Memo.ClusterFlags flags, Optional<ClusterPolicy> policy, int nodes, int attempts) {}
