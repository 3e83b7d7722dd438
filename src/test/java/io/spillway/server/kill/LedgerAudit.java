package io.spillway.server.kill;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.kill.Ledger.Act;
import io.spillway.server.kill.Ledger.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks only at what was promised to users, at what agents did, and at what the store says in the
 * end. Every answer is a sentence; none means that nothing was lost and nothing doubled.
 */
final class LedgerAudit {
  private final List<String> faults = new ArrayList<>();

  /**
   * @param state a job's final state by the store
   */
  record StoredJob(JobId id, String state) {}

  List<String> of(
      List<JobId> accepted, List<Line> ledger, List<StoredJob> jobs, Set<AttemptId> intents) {
    jobs(accepted, jobs);
    runs(ledger, intents);
    return List.copyOf(faults);
  }

  private void jobs(List<JobId> accepted, List<StoredJob> jobs) {
    Map<JobId, String> states = new HashMap<>();
    for (StoredJob job : jobs) {
      if (states.put(job.id(), job.state()) != null) {
        faults.add("job " + job.id() + " is there twice");
      }
    }
    if (new HashSet<>(accepted).size() != accepted.size()) {
      faults.add("a job was accepted twice");
    }
    for (JobId id : accepted) {
      String state = states.get(id);
      if (!"SUCCEEDED".equals(state)) {
        faults.add("accepted job " + id + " ended as " + state);
      }
    }
  }

  private void runs(List<Line> ledger, Set<AttemptId> intents) {
    Map<JobId, AttemptId> running = new HashMap<>();
    Set<AttemptId> started = new HashSet<>();
    Set<AttemptId> stopped = new HashSet<>();
    Map<JobId, AttemptId> finished = new HashMap<>();
    for (Line line : ledger) {
      AttemptId attempt = line.attempt();
      JobId job = attempt.job();
      if (line.act() == Act.START) {
        check(started.add(attempt), "attempt " + attempt + " was started twice");
        check(intents.contains(attempt), "attempt " + attempt + " ran without intent");
        check(!stopped.contains(attempt), "attempt " + attempt + " started after its stop");
        check(!running.containsKey(job), "two runs of job " + job + " overlap");
        check(!finished.containsKey(job), "job " + job + " ran again after it had finished");
        running.put(job, attempt);
      } else if (line.act() == Act.STOP) {
        stopped.add(attempt);
      } else if (line.act() == Act.END) {
        running.remove(job, attempt);
        if (!stopped.contains(attempt)) {
          finished.put(job, attempt);
        }
      }
    }
    running.forEach((job, attempt) -> faults.add("attempt " + attempt + " never ended"));
  }

  private void check(boolean right, String fault) {
    if (!right) {
      faults.add(fault);
    }
  }
}
