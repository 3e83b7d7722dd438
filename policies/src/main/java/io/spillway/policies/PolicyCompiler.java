package io.spillway.policies;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.Compilation.Rejected;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.Severity;
import io.spillway.policies.lint.Linter;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.read.SetReader;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.PolicySet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Files to a policy set. Loaded all or nothing: one error anywhere and there is no set. Pure and
 * thread-safe.
 */
public final class PolicyCompiler {
  private PolicyCompiler() {}

  /** Parses, checks, lints and compiles; never throws for what the files hold. */
  public static Compilation compile(List<SourceFile> files) {
    return compile(PolicyDocuments.parse(files));
  }

  /** As {@link #compile(List)}, from documents already parsed. */
  public static Compilation compile(PolicyDocuments parsed) {
    if (!parsed.findings().isEmpty()) {
      // References into documents that could not be read would be reported as missing: first things
      // first.
      return new Rejected(parsed.findings());
    }
    Report report = new Report();
    DeclaredSet declared = new SetReader(parsed.documents(), report).read();
    Linter.lint(declared, report);
    List<Finding> findings = report.findings();
    return findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR)
        ? new Rejected(findings)
        : new Compiled(
            policySet(declared, SetVersion.of(parsed.documents())),
            compute(declared),
            findings,
            parsed.documents());
  }

  private static Map<ClusterName, ClusterCompute> compute(DeclaredSet declared) {
    return declared.clusters().stream()
        .map(
            cluster ->
                cluster
                    .compute()
                    .with(
                        declared.pools().stream()
                            .filter(pool -> pool.policy().cluster().equals(cluster.policy().name()))
                            .collect(
                                Collectors.toMap(
                                    pool -> pool.policy().name(), DeclaredSet.Pool::nodeGroup))))
        .collect(Collectors.toMap(ClusterCompute::name, Function.identity()));
  }

  private static PolicySet policySet(DeclaredSet declared, String version) {
    Map<String, Integer> classes = new TreeMap<>(PolicySet.EMPTY.priorityClasses());
    declared
        .priorityClasses()
        .forEach(
            declaredClass -> classes.put(declaredClass.document().name(), declaredClass.value()));
    return new PolicySet(
        version,
        declared.queues().stream()
            .map(DeclaredSet.Queue::policy)
            .collect(Collectors.toMap(queue -> queue.name(), Function.identity())),
        classes,
        declared.clusters().stream()
            .map(DeclaredSet.Cluster::policy)
            .collect(Collectors.toMap(cluster -> cluster.name(), Function.identity())),
        declared.pools().stream()
            .map(DeclaredSet.Pool::policy)
            .collect(Collectors.toMap(pool -> pool.name(), Function.identity())),
        declared.prices().stream().map(DeclaredSet.Price::policy).toList());
  }
}
