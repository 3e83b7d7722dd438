package io.spillway.scheduler.state;

import io.spillway.scheduler.model.JobOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares equal parts of orders: 100,000 queued jobs usually have a few dozen shapes. Bounded, so
 * that a stream of odd shapes cannot fill the memory; what is not shared is merely larger.
 */
final class Interning {
  private static final int MOST = 50_000;

  private final Map<Object, Object> known = new HashMap<>();

  /** An equal order whose parts are shared. */
  JobOrder of(JobOrder order) {
    return new JobOrder(
        order.name(),
        shared(order.queue()),
        shared(order.priorityClass()),
        order.preemptible(),
        shared(order.shape()),
        shared(order.checkpointInterval()),
        shared(order.timeout()),
        shared(order.queueTtl()));
  }

  @SuppressWarnings("unchecked")
  private <T> T shared(T part) {
    if (known.size() >= MOST) {
      known.clear();
    }
    Object first = known.putIfAbsent(part, part);
    return first == null ? part : (T) first;
  }
}
