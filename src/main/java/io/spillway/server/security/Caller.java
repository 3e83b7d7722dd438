package io.spillway.server.security;

import io.spillway.scheduler.model.QueueName;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import java.util.Set;
import java.util.SortedSet;

/**
 * Who calls.
 *
 * @param name for the audit
 * @param queues of a submitter, or of a viewer that is confined to some
 */
public record Caller(String name, Set<Role> roles, SortedSet<QueueName> queues) {

  public Caller {
    roles = Set.copyOf(roles);
    queues = java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(queues));
  }

  /** Whether only {@link #queues} are visible to the caller. */
  public boolean isConfined() {
    boolean everywhere = roles.contains(Role.ADMIN) || roles.contains(Role.OPERATOR);
    // A submitter owns its queues only, also for reading, whatever other role it has beside.
    boolean openViewer =
        roles.contains(Role.VIEWER) && !roles.contains(Role.SUBMITTER) && queues.isEmpty();
    return !everywhere && !openViewer;
  }

  public boolean owns(QueueName queue) {
    return !isConfined() || queues.contains(queue);
  }

  /**
   * @throws Refused 403 when the queue is not the caller's
   */
  public void mustOwn(QueueName queue) {
    if (!owns(queue)) {
      throw new Refused(
          ProblemType.QUEUE_NOT_YOURS, "queue " + queue + " is not one of this token's queues");
    }
  }
}
