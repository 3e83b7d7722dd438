package io.spillway.scheduler.explain;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.queue.QueueOrder;
import io.spillway.scheduler.state.View;
import io.spillway.scheduler.state.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/** The waiting jobs that go before one, over all queues. */
record Queue(List<JobId> first, Line line) {

  /** Empty if the job does not wait. */
  static Optional<Queue> before(Job job, View view) {
    if (!(job.state() instanceof JobState.Queued)) {
      return Optional.empty();
    }
    int ahead = 0;
    List<QueueOrder> first = new ArrayList<>();
    for (Waiting.WaitingClass waiting : view.waiting().classes()) {
      NavigableSet<Job> before = before(job, waiting, view.policies());
      ahead += before.size();
      before.stream()
          .limit(Line.NAMED)
          .map(other -> QueueOrder.of(other, view.policies()))
          .forEach(first::add);
    }
    return Optional.of(
        new Queue(
            first.stream().sorted().limit(Line.NAMED).map(QueueOrder::job).toList(),
            Line.of(ahead)));
  }

  private static NavigableSet<Job> before(
      Job job, Waiting.WaitingClass waiting, PolicySet policies) {
    QueueOrder mine = QueueOrder.of(job, policies);
    QueueOrder theirs = QueueOrder.of(waiting.jobs().first(), policies);
    if (theirs.priority() > mine.priority()) {
      return waiting.jobs();
    }
    return theirs.priority() < mine.priority()
        ? waiting.jobs().headSet(waiting.jobs().first(), false)
        : waiting.jobs().headSet(job, false);
  }
}
