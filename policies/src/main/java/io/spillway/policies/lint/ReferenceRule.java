package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.schema.DidYouMean;
import io.spillway.policies.source.Tree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names that name nothing. */
final class ReferenceRule implements Rule {
  private static final List<String> ACCESS =
      List.of("identities", "volumes", "weights", "secrets", "imagePullSecrets");

  @Override
  public void check(DeclaredSet set, Report report) {
    Names names = Names.of(set);
    set.queues().forEach(queue -> queue(queue, names, report));
    set.clusters().forEach(cluster -> cluster(cluster, names, report));
    set.pools().forEach(pool -> pool(pool, names, report));
    set.cohorts()
        .forEach(
            cohort ->
                name(
                    cohort.document().tree(), "cohort", names.cohorts(), report, "spec", "parent"));
    set.defaults()
        .ifPresent(defaults -> classes(defaults.tree().nearest("spec", "queue"), names, report));
  }

  private static void queue(DeclaredSet.Queue queue, Names names, Report report) {
    Tree root = queue.document().tree();
    name(root, "cohort", names.cohorts(), report, "spec", "cohort");
    classes(root.nearest("spec"), names, report);
    int rungs = queue.policy().ladder().size();
    for (int i = 0; i < rungs; i++) {
      Tree rung = root.nearest("spec", "placement", "ladder", i);
      each(rung, "pools", "pool", names.pools(), report);
      each(rung, "clusters", "cluster", names.clusters(), report);
    }
    queue.quota().forEach(entry -> each(entry.tree(), "pools", "pool", names.pools(), report));
  }

  private static void classes(Tree queueSpec, Names names, Report report) {
    name(queueSpec, "priority class", names.classes(), report, "priorityClasses", "default");
    Tree classes = queueSpec.nearest("priorityClasses");
    each(classes, "allowed", "priority class", names.classes(), report);
  }

  private static void cluster(DeclaredSet.Cluster cluster, Names names, Report report) {
    Tree spec = cluster.document().tree().nearest("spec");
    for (String access : ACCESS) {
      if (spec.nearest(access) instanceof Tree.Mapping entries && entries != spec) {
        entries
            .members()
            .values()
            .forEach(entry -> each(entry.value(), "queues", "queue", names.queues(), report));
      }
    }
  }

  private static void pool(DeclaredSet.Pool pool, Names names, Report report) {
    Tree root = pool.document().tree();
    name(root, "cluster", names.clusters(), report, "spec", "cluster");
    Tree.Mapping spec = (Tree.Mapping) root.nearest("spec");
    spec.get("owners")
        .ifPresent(
            node -> {
              Tree.Mapping owners = (Tree.Mapping) node;
              owners.members().keySet().stream()
                  .filter(owner -> !names.queues().contains(owner))
                  .forEach(
                      owner ->
                          report.atKey(
                              owners,
                              owner,
                              FindingCode.UNKNOWN_REFERENCE,
                              missing("queue", owner, names.queues(), report)));
            });
  }

  /** Checks one name below that node, if it is there. */
  private static void name(
      Tree from, String what, Set<String> known, Report report, Object... steps) {
    Optional<Tree> at = find(from, steps);
    at.filter(node -> !known.contains(((Tree.Scalar) node).text()))
        .ifPresent(
            node ->
                report.at(
                    node,
                    FindingCode.UNKNOWN_REFERENCE,
                    missing(what, ((Tree.Scalar) node).text(), known, report)));
  }

  /** Checks each name of a list below that node, if it is there. */
  private static void each(Tree from, String key, String what, Set<String> known, Report report) {
    find(from, key)
        .ifPresent(
            list ->
                ((Tree.Sequence) list)
                    .items().stream()
                        .filter(item -> !known.contains(((Tree.Scalar) item).text()))
                        .forEach(
                            item ->
                                report.at(
                                    item,
                                    FindingCode.UNKNOWN_REFERENCE,
                                    missing(what, ((Tree.Scalar) item).text(), known, report))));
  }

  private static Optional<Tree> find(Tree from, Object... steps) {
    Optional<Tree> at = Optional.of(from);
    for (Object step : steps) {
      at =
          at.flatMap(
              node ->
                  node instanceof Tree.Mapping mapping
                      ? mapping.get(step.toString())
                      : Optional.empty());
    }
    return at;
  }

  private static String missing(String what, String name, Set<String> known, Report report) {
    String hint = report.full() ? "" : DidYouMean.among(known, name);
    return "there is no " + what + " '" + name + "' in the set" + hint;
  }

  /** All names that may be referred to. */
  private record Names(
      Set<String> queues,
      Set<String> clusters,
      Set<String> pools,
      Set<String> cohorts,
      Set<String> classes) {

    static Names of(DeclaredSet set) {
      return new Names(
          sorted(set.queues().stream().map(queue -> queue.document().name())),
          sorted(set.clusters().stream().map(cluster -> cluster.document().name())),
          sorted(set.pools().stream().map(pool -> pool.document().name())),
          sorted(set.cohorts().stream().map(cohort -> cohort.document().name())),
          sorted(
              Stream.concat(
                  PriorityRule.BUILT_IN.keySet().stream(),
                  set.priorityClasses().stream().map(one -> one.document().name()))));
    }

    private static Set<String> sorted(Stream<String> names) {
      return names.collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
