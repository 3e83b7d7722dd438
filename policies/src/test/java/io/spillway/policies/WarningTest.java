package io.spillway.policies;

import static io.spillway.policies.Marked.cluster;
import static io.spillway.policies.Marked.pool;
import static io.spillway.policies.Marked.queue;
import static io.spillway.policies.Marked.queueWith;
import static io.spillway.policies.Marked.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.source.SourceFile;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WarningTest {
  private static final String HEAD = "apiVersion: spillway.io/v1beta1\n";

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource({"ladders", "others", "notYet"})
  void a_warning_stands_at_its_place_and_the_set_is_loaded(
      FindingCode code, String message, Marked odd) {
    Compilation compilation = PolicyCompiler.compile(odd.withBase());

    assertThat(compilation).as("%s", compilation.findings()).isInstanceOf(Compiled.class);
    assertThat(compilation.findings())
        .filteredOn(finding -> finding.code() == code)
        .as("%s", compilation.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.message()).contains(message);
              assertThat(finding.line()).isEqualTo(odd.line());
              assertThat(finding.column()).isEqualTo(odd.column());
            });
  }

  static Stream<Arguments> ladders() {
    return Stream.of(
        arguments(
            FindingCode.RUNG_NEVER_SERVED,
            "matches no capacity entry and no pool",
            queue("placement: {ladder: [«{name: a, providers: [gcp]}, {name: b}]}")),
        arguments(
            FindingCode.RUNG_NEVER_SERVED,
            "rung 'a'",
            queue(
                "placement: {ladder: [«{name: a, capacityTypes: [spot], pools: [ec2-p5]}, {name: b}]}")),
        arguments(
            FindingCode.RUNG_NEVER_SERVED,
            "is free",
            queue("placement: {ladder: [{name: a, maxPricePerGpuHour: «0}]}")),
        arguments(
            FindingCode.RUNG_UNREACHABLE,
            "names nothing",
            queue(
                "placement: {ladder: [{name: a, until: {}, capacityTypes: [spot]}, «{name: b}]}")),
        arguments(
            FindingCode.RUNG_ADDS_NOTHING,
            "allowed by 'a'",
            queue(
                "placement: {ladder: [{name: a}, «{name: b, capacityTypes: [spot], maxPricePerGpuHour: 3}]}")),
        arguments(
            FindingCode.UNTIL_ON_LAST_RUNG,
            "the last",
            queue("placement: {ladder: [{name: a, until: «{waited: 5m}}]}")),
        arguments(
            FindingCode.SELECTOR_MATCHES_NOTHING,
            "did you mean 'aws'?",
            queue("placement: {ladder: [{name: a, providers: [aws, «awss]}]}")),
        arguments(
            FindingCode.SELECTOR_MATCHES_NOTHING,
            "us-west-2",
            queue("placement: {ladder: [{name: a, regions: [us-east-2, «us-west-2]}]}")));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        arguments(
            FindingCode.PRIORITY_WITHOUT_PREEMPTION,
            "takes nothing from running jobs",
            queueWith("priorityClasses: «{allowed: [normal, urgent]}")),
        arguments(
            FindingCode.SAME_PRIORITY,
            "'normal'",
            yaml(HEAD + "kind: PriorityClass\nmetadata: {name: usual}\nvalue: «100\n")),
        arguments(
            FindingCode.QUOTA_BELOW_LARGEST_JOB,
            "at least 9 GPUs; the largest entry of quota allows 8",
            queueWith(
                """
                limits: {maxNodesPerJob: «9}
                quota:
                  - {gpu: nvidia-h100-80gb, pools: [ec2-p5], nominalQuota: 8}
                  - {gpu: nvidia-h100-80gb, capacityTypes: [spot], max: 4}
                """)),
        arguments(
            FindingCode.QUOTA_OTHER_MODEL,
            "nvidia-h100-80gb",
            queueWith("quota: [{gpu: nvidia-h200-141gb, pools: [«ec2-p5], nominalQuota: 8}]")),
        arguments(
            FindingCode.BORROWING_WITHOUT_COHORT,
            "no cohort",
            queueWith(
                "quota: [{gpu: nvidia-h100-80gb, pools: [ec2-p5], nominalQuota: 8, borrowingLimit: «8}]")),
        arguments(
            FindingCode.ZONE_NOT_IN_REGION,
            "start with use2-",
            cluster(
                "provider: aws\nregion: us-east-2\n"
                    + "capacity: [{instanceType: p5e.48xlarge, capacityTypes: [spot], zones: [«usw2-az1], maxNodes: 1}]")),
        arguments(
            FindingCode.ZONE_NOT_IN_REGION,
            "zone name",
            cluster(
                "provider: aws\nregion: us-east-2\n"
                    + "capacity: [{instanceType: p5e.48xlarge, capacityTypes: [spot], zones: [«us-east-2a], maxNodes: 1}]")),
        arguments(
            FindingCode.ZONE_NOT_IN_REGION,
            "no zone of us-central1",
            cluster(
                "provider: gcp\nregion: us-central1\n"
                    + "capacity: [{instanceType: a3-highgpu-8g, capacityTypes: [spot], zones: [us-central1-a, «us-east4-a], maxNodes: 1}]")),
        arguments(
            FindingCode.ZONE_NOT_IN_REGION,
            "cluster 'eks-ohio'",
            pool("nodes: 1\npricePerNodeHour: 1\nzone: «use1-az1")),
        arguments(
            FindingCode.CLUSTER_WITHOUT_CAPACITY,
            "Cluster/gke",
            yaml(
                HEAD
                    + "kind: Cluster\nmetadata: {name: «gke}\nspec: {provider: gcp, region: us-central1}\n")),
        arguments(
            FindingCode.SHARED_NAMESPACE,
            "'{queue}'",
            cluster("provider: aws\nregion: us-east-2\nnamespace: «spillway")),
        arguments(
            FindingCode.SAME_RESERVATION,
            "count twice",
            yaml(
                HEAD
                    + "kind: Pool\nmetadata: {name: x}\n"
                    + "spec: {cluster: eks-ohio, instanceType: p5.48xlarge, nodes: 1, pricePerNodeHour: 1, zone: use2-az1, reservationId: cr-1}\n"
                    + "---\n"
                    + HEAD
                    + "kind: Pool\nmetadata: {name: y}\n"
                    + "spec: {cluster: eks-ohio, instanceType: p5.48xlarge, nodes: 1, pricePerNodeHour: 1, zone: use2-az1, reservationId: «cr-1}\n")));
  }

  static Stream<Arguments> notYet() {
    return Stream.of(
            queueWith("«weight: 2"),
            queueWith("«agingInterval: 1h"),
            queueWith("«ordering: StrictFIFO"),
            queueWith("«quota: [{gpu: nvidia-h100-80gb, capacityTypes: [spot], max: 8}]"),
            queueWith("«budget: {usdPerDay: 5000}"),
            queueWith("«preemption: {withinQueue: LowerPriority}"),
            queue("placement: {ladder: [{name: a}], «idleSunk: UseFirst}"),
            queue("placement: {ladder: [{name: a}], «returnToCheaper: {afterStable: 30m}}"),
            pool("nodes: 1\npricePerNodeHour: 1\n«owners: {base: 1}"),
            yaml(HEAD + "kind: Cohort\nmetadata: {name: «ml}\n"))
        .map(odd -> arguments(FindingCode.NOT_YET, "not acted on by this version", odd));
  }

  @Test
  void VOL_11_priority_without_preemption_is_told_unless_the_queue_says_that_it_knows() {
    assertThat(codes(queueWith("«priorityClasses: {allowed: [normal, urgent]}").withBase()))
        .contains(FindingCode.PRIORITY_WITHOUT_PREEMPTION);
    assertThat(
            codes(
                queueWith(
                        "«priorityClasses: {allowed: [normal, urgent]}\n"
                            + "preemption: {withinQueue: Never}")
                    .withBase()))
        .doesNotContain(FindingCode.PRIORITY_WITHOUT_PREEMPTION);
    assertThat(codes(queueWith("«priorityClasses: {allowed: [normal]}").withBase()))
        .doesNotContain(FindingCode.PRIORITY_WITHOUT_PREEMPTION);
  }

  @Test
  void what_only_repeats_the_present_behaviour_is_not_flagged() {
    assertThat(
            codes(
                queue(
                        "«ordering: BestEffortFIFO\n"
                            + "placement: {ladder: [{name: a}], idleSunk: InOrder,"
                            + " returnToCheaper: {mode: Never}}\n"
                            + "preemption: {withinQueue: Never, maxPerHour: 3}")
                    .withBase()))
        .isEmpty();
  }

  @Test
  void a_sunk_pool_below_a_paid_rung_is_told_once_per_queue() {
    Marked odd =
        queue(
            """
            placement:
              ladder:
                - {name: spot, capacityTypes: [spot], until: {interruptions: 1}}
                - «{name: reserved, pools: [mine]}
                - {name: again, pools: [mine, ec2-p5]}
            """);
    SourceFile sunk = pool("nodes: 1\npricePerNodeHour: 1\n«zone: use2-az1").file();
    SourceFile mine =
        new SourceFile(
            "mine.yaml",
            sunk.content()
                .replace("extra", "mine")
                .replace("accounting: Metered", "accounting: Sunk"));

    assertThat(PolicyCompiler.compile(List.of(Marked.BASE, odd.file(), mine)).findings())
        .filteredOn(finding -> finding.code() == FindingCode.SUNK_BELOW_PAID)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.line()).isEqualTo(odd.line());
              assertThat(finding.column()).isEqualTo(odd.column());
              assertThat(finding.message()).contains("'mine'", "'spot'");
            });
  }

  @Test
  void a_pool_that_no_rung_names_is_told() {
    String base =
        Marked.BASE.content().replace("{name: any}", "{name: any, capacityTypes: [spot]}");

    assertThat(codes(List.of(new SourceFile("base.yaml", base))))
        .containsExactly(FindingCode.POOL_UNUSED);
  }

  @Test
  void a_set_without_a_queue_is_told() {
    String base = Marked.BASE.content();

    assertThat(
            codes(List.of(new SourceFile("base.yaml", base.substring(0, base.lastIndexOf("---"))))))
        .containsExactly(FindingCode.NO_QUEUES);
  }

  private static List<FindingCode> codes(List<SourceFile> files) {
    Compilation compilation = PolicyCompiler.compile(files);
    assertThat(compilation).as("%s", compilation.findings()).isInstanceOf(Compiled.class);
    return compilation.findings().stream().map(Finding::code).toList();
  }
}
