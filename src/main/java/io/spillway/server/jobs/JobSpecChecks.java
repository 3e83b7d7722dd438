package io.spillway.server.jobs;

import io.spillway.scheduler.model.EditDistance;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.server.json.Faults;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * What only the live policies can tell of a job. Whether a cluster grants its identity, volumes,
 * weights and secrets is left to the placement, which knows the clusters it may go to.
 */
final class JobSpecChecks {
  private JobSpecChecks() {}

  /** The specification with its priority class filled in, or empty with the faults added. */
  static Optional<JobSpec> check(JobSpec spec, PolicySet policies, String path, Faults faults) {
    Place at = new Place(path, faults);
    QueuePolicy queue = policies.queues().get(spec.queue());
    if (queue == null) {
      at.unknown("queue", "queue", spec.queue().value(), policies.queues().keySet());
      return Optional.empty();
    }
    String priorityClass = spec.priorityClass().orElse(queue.defaultClass());
    checkClass(at, priorityClass, queue);
    int most = queue.limits().maxNodesPerJob();
    if (spec.resources().nodes() > most) {
      at.fault(
          "resources.nodes",
          "is " + spec.resources().nodes() + ", but the queue takes at most " + most + " per job");
    }
    int index = 0;
    for (Object cluster : spec.constraints().clusters()) {
      at.known(
          "constraints.clusters[" + index++ + "]",
          "cluster",
          cluster,
          policies.clusters().keySet());
    }
    index = 0;
    for (Object pool : spec.constraints().pools()) {
      at.known("constraints.pools[" + index++ + "]", "pool", pool, policies.pools().keySet());
    }
    return faults.concerns(path) ? Optional.empty() : Optional.of(spec.in(priorityClass));
  }

  /** Whether the queue allows the class; the fault is added otherwise. */
  static void checkClass(Faults faults, String priorityClass, QueuePolicy queue) {
    checkClass(new Place("", faults), priorityClass, queue);
  }

  private static void checkClass(Place at, String priorityClass, QueuePolicy queue) {
    if (!queue.allowedClasses().contains(priorityClass)) {
      at.fault(
          "priorityClass",
          "is not allowed in queue "
              + queue.name()
              + "; allowed: "
              + String.join(", ", queue.allowedClasses()));
    }
  }

  private record Place(String path, Faults faults) {
    void fault(String field, String message) {
      faults.add(path.isEmpty() ? field : path + "." + field, message);
    }

    void known(String field, String what, Object name, Collection<?> names) {
      if (!names.contains(name)) {
        unknown(field, what, name.toString(), names);
      }
    }

    void unknown(String field, String what, String name, Collection<?> names) {
      String nearest =
          names.stream()
              .map(Object::toString)
              .min(Comparator.comparingInt(known -> EditDistance.between(known, name)))
              .map(known -> "; nearest: " + known)
              .orElse("");
      fault(field, "there is no " + what + " '" + name + "'" + nearest);
    }
  }
}
