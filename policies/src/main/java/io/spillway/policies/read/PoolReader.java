package io.spillway.policies.read;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.PoolPolicy.Accounting;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads a Pool document. */
final class PoolReader {
  private final Optional<Tree.Mapping> defaults;
  private final Function<String, Optional<String>> regionOfCluster;
  private final Function<String, Optional<String>> providerOfCluster;
  private final Report report;

  PoolReader(
      Optional<Tree.Mapping> defaults,
      Function<String, Optional<String>> regionOfCluster,
      Function<String, Optional<String>> providerOfCluster,
      Report report) {
    this.defaults = defaults;
    this.regionOfCluster = regionOfCluster;
    this.providerOfCluster = providerOfCluster;
    this.report = report;
  }

  DeclaredSet.Pool read(PolicyDocument document) {
    Fields spec = Fields.of(document.tree()).fields("spec").over(defaults);
    String cluster = spec.required("cluster");
    CapacityType capacityType = CapacityType.parse(spec.text("capacityType", "reserved"));
    PoolPolicy policy =
        new PoolPolicy(
            new PoolName(document.name()),
            new ClusterName(cluster),
            spec.required("instanceType"),
            spec.text("zone").or(() -> regionOfCluster.apply(cluster)).orElse(""),
            capacityType,
            spec.text("reservationId"),
            spec.integer("nodes").orElseThrow(),
            owners(spec.find("owners")),
            SetReader.time(spec, "from", report),
            SetReader.time(spec, "until", report),
            spec.usd("pricePerNodeHour").orElse(Usd.ZERO),
            accounting(spec.text("accounting"), capacityType),
            spec.duration(
                "launchDeadline",
                LaunchDeadlines.of(
                    providerOfCluster.apply(cluster).orElse(""), spec.required("instanceType"))),
            SetReader.fabric(spec));
    return new DeclaredSet.Pool(
        document, policy, ComputeReader.group(spec, List.of(policy.zone()), policy.zone()));
  }

  private static Accounting accounting(Optional<String> written, CapacityType capacityType) {
    return written
        .map(text -> text.equals("Sunk") ? Accounting.SUNK : Accounting.METERED)
        .orElse(capacityType == CapacityType.RESERVED ? Accounting.SUNK : Accounting.METERED);
  }

  private static Map<QueueName, Integer> owners(Optional<Tree> written) {
    Map<QueueName, Integer> owners = new TreeMap<>();
    written.ifPresent(
        node ->
            ((Tree.Mapping) node)
                .members()
                .forEach(
                    (queue, nodes) ->
                        owners.put(
                            new QueueName(queue),
                            new BigDecimal(((Tree.Scalar) nodes.value()).text()).intValueExact())));
    return owners;
  }
}
