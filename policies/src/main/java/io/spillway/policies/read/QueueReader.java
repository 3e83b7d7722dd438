package io.spillway.policies.read;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.Quota.Share;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.QueuePolicy.Limits;
import io.spillway.scheduler.policy.QueuePolicy.OnClusterLost;
import io.spillway.scheduler.policy.QueuePolicy.Retry;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.policy.Rung.Until;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a Queue document. */
final class QueueReader {
  private static final String DEFAULT_CLASS = "normal";

  /** Without a word on classes a queue may not use {@code urgent}: that has to be granted. */
  private static final List<String> DEFAULT_ALLOWED = List.of("low", "normal");

  private final Optional<Tree.Mapping> defaults;
  private final Report report;

  QueueReader(Optional<Tree.Mapping> defaults, Report report) {
    this.defaults = defaults;
    this.report = report;
  }

  DeclaredSet.Queue read(PolicyDocument document) {
    Fields spec = Fields.of(document.tree()).fields("spec").over(defaults);
    Fields classes = spec.fields("priorityClasses");
    String defaultClass = classes.text("default", DEFAULT_CLASS);
    List<String> allowed = classes.texts("allowed");
    Fields placement = spec.fields("placement");
    checkTimeZone(spec.fields("budget"));
    return new DeclaredSet.Queue(
        document,
        new QueuePolicy(
            new QueueName(document.name()),
            defaultClass,
            allowed.isEmpty()
                ? Stream.concat(Stream.of(defaultClass), DEFAULT_ALLOWED.stream())
                    .distinct()
                    .toList()
                : allowed,
            limits(spec.fields("limits")),
            placement.list("ladder").stream().map(QueueReader::rung).toList(),
            retry(spec.fields("retry")),
            OnClusterLost.valueOf(
                spec.text("onClusterLost", "Wait").toUpperCase(java.util.Locale.ROOT))),
        spec.text("cohort"),
        spec.list("quota").stream().map(this::quota).toList(),
        placement.text("idleSunk", "InOrder").equals("UseFirst"));
  }

  private static Limits limits(Fields limits) {
    return new Limits(
        limits.integer("maxPending", Limits.NONE.maxPending()),
        limits.integer("maxNodesPerJob", Limits.NONE.maxNodesPerJob()),
        limits.integer("submitRatePerSecond", Limits.NONE.submitRatePerSecond()));
  }

  private static Retry retry(Fields retry) {
    return new Retry(
        retry.integer("userFailures", Retry.DEFAULT.userFailures()),
        retry.integer("infrastructureFailures", Retry.DEFAULT.infrastructureFailures()),
        retry.duration("backoff", Retry.DEFAULT.backoff()));
  }

  private static Rung rung(Fields rung) {
    return new Rung(
        rung.required("name"),
        rung.texts("capacityTypes").stream().map(CapacityType::parse).toList(),
        rung.texts("providers"),
        rung.texts("regions"),
        rung.texts("clusters").stream().map(ClusterName::new).toList(),
        rung.texts("pools").stream().map(PoolName::new).toList(),
        rung.price("maxPricePerGpuHour"),
        rung.has("until") ? Optional.of(until(rung.fields("until"))) : Optional.empty());
  }

  private static Until until(Fields until) {
    return new Until(
        until.duration("waited"),
        until.integer("interruptions"),
        until.integer("refusals"),
        until.duration("exhausted"));
  }

  private Quota quota(Fields entry) {
    String gpu = entry.required("gpu");
    if (GpuModel.of(gpu).isEmpty()) {
      report.at(
          entry.find("gpu").orElseThrow(),
          FindingCode.UNKNOWN_GPU,
          "unknown GPU model '" + gpu + "'; nearest: " + String.join(", ", GpuModel.nearest(gpu)));
    }
    return new Quota(
        entry.own(),
        gpu,
        entry.texts("pools").stream().map(PoolName::new).toList(),
        new Share(
            entry.integer("nominalQuota"),
            entry.integer("borrowingLimit"),
            entry.integer("lendingLimit")),
        entry.texts("capacityTypes").stream().map(CapacityType::parse).toList(),
        entry.integer("max"));
  }

  private void checkTimeZone(Fields budget) {
    budget
        .text("timeZone")
        .ifPresent(
            zone -> {
              try {
                ZoneId.of(zone);
              } catch (DateTimeException e) {
                report.at(
                    budget.find("timeZone").orElseThrow(),
                    FindingCode.BAD_VALUE,
                    "'" + zone + "' is no time zone, for example UTC or Europe/Berlin");
              }
            });
  }
}
