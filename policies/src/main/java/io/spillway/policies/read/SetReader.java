package io.spillway.policies.read;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.schema.DocumentKind;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.PriceOverride;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads documents whose shape is right into records; what a schema cannot judge is reported. */
public final class SetReader {
  private final Map<String, PolicyDocument> byTitle;
  private final List<PolicyDocument> documents;
  private final Report report;

  public SetReader(List<PolicyDocument> documents, Report report) {
    this.documents = List.copyOf(documents);
    this.report = report;
    this.byTitle =
        documents.stream()
            .collect(java.util.stream.Collectors.toMap(PolicyDocument::title, Function.identity()));
  }

  public DeclaredSet read() {
    Optional<PolicyDocument> defaults = defaults();
    QueueReader queues = new QueueReader(below(defaults, "queue"), report);
    ClusterReader clusters = new ClusterReader(below(defaults, "cluster"), report);
    PoolReader pools =
        new PoolReader(
            below(defaults, "pool"),
            cluster -> ofCluster(cluster, "region"),
            cluster -> ofCluster(cluster, "provider"),
            report);
    return new DeclaredSet(
        each(DocumentKind.QUEUE, queues::read),
        each(DocumentKind.CLUSTER, clusters::read),
        each(DocumentKind.POOL, pools::read),
        each(DocumentKind.COHORT, this::cohort),
        each(DocumentKind.PRIORITY_CLASS, this::priorityClass),
        each(DocumentKind.PRICE_OVERRIDE, this::price),
        defaults);
  }

  /** The instant of a member; one that does not exist (a 13th month) is reported and left out. */
  static Optional<Instant> time(Fields fields, String key, Report report) {
    Optional<String> text = fields.text(key);
    try {
      return text.map(written -> OffsetDateTime.parse(written).toInstant());
    } catch (DateTimeException e) {
      report.at(
          fields.find(key).orElseThrow(),
          FindingCode.BAD_TIME,
          "'" + text.orElseThrow() + "' is no instant of the calendar");
      return Optional.empty();
    }
  }

  static Optional<Fabric> fabric(Fields parent) {
    if (!parent.has("fabric")) {
      return Optional.empty();
    }
    Fields fabric = parent.fields("fabric");
    String name =
        fabric
            .text("name")
            .or(() -> fabric.text("placementGroup"))
            .or(() -> fabric.text("clusterNetwork"))
            .orElse("");
    return Optional.of(new Fabric(fabric.required("type"), name));
  }

  private <T> List<T> each(DocumentKind kind, Function<PolicyDocument, T> reader) {
    return documents.stream().filter(document -> document.kind() == kind).map(reader).toList();
  }

  private Optional<PolicyDocument> defaults() {
    List<PolicyDocument> found = each(DocumentKind.DEFAULTS, Function.identity());
    found.stream()
        .skip(1)
        .forEach(
            extra ->
                report.about(
                    extra,
                    FindingCode.DUPLICATE_DOCUMENT,
                    "a set has at most one Defaults; the other is '"
                        + found.getFirst().name()
                        + "'"));
    return found.stream().findFirst();
  }

  private static Optional<Tree.Mapping> below(Optional<PolicyDocument> defaults, String key) {
    return defaults.flatMap(
        document ->
            document.tree().nearest("spec") instanceof Tree.Mapping spec
                ? spec.get(key).map(Tree.Mapping.class::cast)
                : Optional.empty());
  }

  private Optional<String> ofCluster(String cluster, String key) {
    return Optional.ofNullable(byTitle.get(DocumentKind.CLUSTER.text() + '/' + cluster))
        .map(document -> ((Tree.Scalar) document.tree().nearest("spec", key)).text());
  }

  private DeclaredSet.Cohort cohort(PolicyDocument document) {
    return new DeclaredSet.Cohort(
        document, Fields.of(document.tree()).fields("spec").text("parent"));
  }

  private DeclaredSet.PriorityClass priorityClass(PolicyDocument document) {
    return new DeclaredSet.PriorityClass(
        document, Fields.of(document.tree()).integer("value").orElseThrow());
  }

  private DeclaredSet.Price price(PolicyDocument document) {
    Fields spec = Fields.of(document.tree()).fields("spec");
    return new DeclaredSet.Price(
        document,
        new PriceOverride(
            spec.required("provider"),
            spec.required("region"),
            spec.required("instanceType"),
            CapacityType.parse(spec.required("capacityType")),
            spec.price("usdPerGpuHour").orElse(UsdPerGpuHour.ZERO),
            time(spec, "until", report)));
  }
}
