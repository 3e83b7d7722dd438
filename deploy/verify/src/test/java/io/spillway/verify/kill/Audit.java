package io.spillway.verify.kill;

import io.spillway.verify.kill.Evidence.Forgotten;
import io.spillway.verify.kill.Finding.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Holds the witnesses against each other, when all is quiet. */
final class Audit {
  private final Evidence evidence;
  private final List<Run> runs;
  private final Map<String, Seen> jobs = new LinkedHashMap<>();
  private final Set<String> touched = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();

  private Audit(Evidence evidence) {
    this.evidence = evidence;
    this.runs = Run.of(evidence.ledger());
    evidence.jobs().forEach(job -> jobs.put(job.id(), job));
    evidence
        .forgotten()
        .ifPresent(
            gone ->
                evidence.ledger().stream()
                    .filter(fact -> gone.covers(fact.wall()))
                    .forEach(fact -> touched.add(fact.job())));
  }

  /** Everything that must not be. */
  static List<Finding> of(Evidence evidence) {
    Audit audit = new Audit(evidence);
    audit.everyPromiseIsOneJob();
    audit.everyJobEnded();
    audit.everyRunIsMeant();
    audit.nothingStartsTwice();
    audit.nothingRunsTwiceAtOnce();
    audit.nothingStartsAfterItsEnd();
    audit.nothingIsLeft();
    audit.recoveryTouchesNothing();
    return List.copyOf(audit.findings);
  }

  private void found(Rule rule, String what) {
    findings.add(new Finding(rule, what));
  }

  /** Whether the restored copy may know nothing of what happened to the job meanwhile. */
  private boolean isForgotten(String job) {
    return touched.contains(job);
  }

  private void everyPromiseIsOneJob() {
    Map<String, Set<String>> byKey = new LinkedHashMap<>();
    for (Accepted promise : evidence.accepted()) {
      byKey.computeIfAbsent(promise.key(), key -> new LinkedHashSet<>()).add(promise.job());
      boolean mayBeGone =
          evidence.forgotten().filter(gone -> gone.covers(promise.at())).isPresent();
      if (!jobs.containsKey(promise.job()) && !mayBeGone) {
        found(Rule.LOST_JOB, promise + " is unknown to the API");
      }
    }
    byKey.forEach(
        (key, ids) -> {
          if (ids.size() > 1) {
            found(Rule.DOUBLED_JOB, "key " + key + " was promised as " + ids);
          }
        });
    Map<String, List<String>> shown =
        evidence.jobs().stream()
            .collect(
                Collectors.groupingBy(
                    Seen::key,
                    LinkedHashMap::new,
                    Collectors.mapping(Seen::id, Collectors.toList())));
    shown.forEach(
        (key, ids) -> {
          if (ids.size() > 1) {
            found(Rule.DOUBLED_JOB, "key " + key + " is shown as " + ids);
          }
        });
  }

  private void everyJobEnded() {
    Set<String> succeeded =
        runs.stream().filter(Run::succeeded).map(Run::job).collect(Collectors.toSet());
    for (Seen job : evidence.jobs()) {
      if (!job.ended() && !job.waits()) {
        found(Rule.NOT_ENDED, job.toString());
      }
      if (job.state().equals("SUCCEEDED") && !succeeded.contains(job.id())) {
        found(Rule.NEVER_RAN, job + " but no run of it ended well");
      }
    }
    for (Seen earlier : evidence.before()) {
      Seen now = jobs.get(earlier.id());
      boolean changed = now == null || !now.state().equals(earlier.state());
      if (earlier.ended() && changed) {
        found(Rule.ENDED_TWICE, earlier + " later was " + now);
      }
    }
  }

  /** The intent is an attempt that the API shows, on that very cluster. */
  private void everyRunIsMeant() {
    Set<String> meant = new HashSet<>();
    for (Seen job : evidence.jobs()) {
      job.attempts().forEach(attempt -> meant.add(attempt.cluster() + ' ' + attempt.id()));
    }
    for (Fact fact : evidence.ledger()) {
      boolean launch = fact.is("apply") || fact.is("start");
      if (launch
          && !meant.contains(fact.cluster() + ' ' + fact.attempt())
          && !isForgotten(fact.job())) {
        found(Rule.NO_INTENT, fact.toString());
      }
    }
  }

  private void nothingStartsTwice() {
    Map<String, Fact> first = new HashMap<>();
    for (Fact fact : evidence.ledger()) {
      if (!fact.is("apply") && !fact.is("start")) {
        continue;
      }
      Fact before = first.putIfAbsent(fact.event() + ' ' + fact.attempt(), fact);
      if (before != null && !isForgotten(fact.job())) {
        found(Rule.DOUBLED_RUN, before + " and again " + fact);
      }
    }
  }

  private void nothingRunsTwiceAtOnce() {
    Map<String, List<Run>> byJob = runs.stream().collect(Collectors.groupingBy(Run::job));
    byJob.forEach(
        (job, its) -> {
          for (int i = 0; i < its.size(); i++) {
            for (int j = i + 1; j < its.size(); j++) {
              if (its.get(i).overlaps(its.get(j))) {
                found(Rule.OVERLAP, its.get(i) + " and " + its.get(j));
              }
            }
          }
        });
  }

  private void nothingStartsAfterItsEnd() {
    Map<String, Fact> over = new HashMap<>();
    for (Fact fact : evidence.ledger()) {
      String what = fact.cluster() + ' ' + fact.attempt();
      if (fact.is("stop") || fact.is("end") || fact.is("release")) {
        over.putIfAbsent(what, fact);
      } else if ((fact.is("apply") || fact.is("start")) && over.containsKey(what)) {
        found(Rule.AFTER_STOP, fact + " after " + over.get(what));
      }
    }
  }

  private void nothingIsLeft() {
    Set<String> live = new HashSet<>();
    for (Seen job : evidence.jobs()) {
      if (!job.ended()) {
        job.attempts().stream()
            .filter(attempt -> !attempt.state().equals("ENDED"))
            .forEach(attempt -> live.add(attempt.id()));
      }
    }
    for (Run run : runs) {
      if (run.end().isEmpty() && !live.contains(run.start().attempt())) {
        found(Rule.LEAKED, run + " still runs, the API has " + jobs.get(run.job()));
      }
    }
  }

  private void recoveryTouchesNothing() {
    Optional<Forgotten> gone = evidence.forgotten();
    for (Fact fact : evidence.ledger()) {
      boolean touch = fact.is("stop") || fact.is("apply") || fact.is("hold") || fact.is("release");
      if (touch && gone.filter(g -> g.inRecovery(fact.wall())).isPresent()) {
        found(Rule.TOUCHED_IN_RECOVERY, fact.toString());
      }
    }
  }
}
