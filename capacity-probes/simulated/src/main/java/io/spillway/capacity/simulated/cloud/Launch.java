package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.market.Line;
import java.util.List;

/** A cluster's autoscaler asking for nodes, all or none. */
public record Launch(String cluster, Account account, Line line, int nodes) {

  /** What becomes of it; at most one of ready and refused is called. On the timeline. */
  public interface Outcome {
    /** All nodes are up. */
    void ready(List<Instance> instances);

    void refused(Refusal refusal);

    /** The call got no answer; the nodes may still come. */
    void timedOut(Refusal refusal);
  }
}
