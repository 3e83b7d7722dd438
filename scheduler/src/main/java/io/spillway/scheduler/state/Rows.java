package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.policy.PolicySet;
import java.util.List;

/**
 * What the store's rows say at its head, in any order.
 *
 * @param jobs taken and not terminal
 * @param attempts all of these jobs, and of terminal jobs those that have not ended (superseded
 *     ones being stopped) or are fenced with their stop unconfirmed ({@code Ended.settled} false)
 */
public record Rows(PolicySet policies, List<Job> jobs, List<Attempt> attempts) {
  public static final Rows EMPTY = new Rows(PolicySet.EMPTY, List.of(), List.of());

  public Rows {
    jobs = List.copyOf(jobs);
    attempts = List.copyOf(attempts);
  }
}
