package io.spillway.policies;

import static io.spillway.policies.Marked.cluster;
import static io.spillway.policies.Marked.json;
import static io.spillway.policies.Marked.pool;
import static io.spillway.policies.Marked.queue;
import static io.spillway.policies.Marked.queueWith;
import static io.spillway.policies.Marked.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.spillway.policies.Compilation.Rejected;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Severity;
import io.spillway.policies.source.SourceFile;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadInputTest {
  private static final String HEAD = "apiVersion: spillway.io/v1beta1\n";

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource({"reading", "shape", "values", "meaning"})
  void an_error_is_told_with_its_code_its_line_and_its_column(
      FindingCode code, String message, Marked bad) {
    Compilation compilation = PolicyCompiler.compile(bad.withBase());

    assertThat(compilation).isInstanceOf(Rejected.class);
    List<Finding> errors =
        compilation.findings().stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .toList();
    assertThat(errors)
        .as("%s", errors)
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.code()).isEqualTo(code);
              assertThat(error.message()).contains(message);
              assertThat(error.line()).isEqualTo(bad.line());
              assertThat(error.column()).isEqualTo(bad.column());
              assertThat(error.file()).isEqualTo(bad.file().name());
            });
  }

  static Stream<Arguments> reading() {
    return Stream.of(
        arguments(FindingCode.SYNTAX, "not YAML", yaml(HEAD + "kind: Queue\nspec: [a, b\n«")),
        arguments(FindingCode.SYNTAX, "not YAML", yaml("a: 'x\n«")),
        arguments(FindingCode.SYNTAX, "not YAML", yaml("a: b\n«\tc: d\n")),
        arguments(FindingCode.SYNTAX, "not YAML", yaml("a: \"«\u0007\"\n")),
        arguments(FindingCode.SYNTAX, "a key is plain text", yaml("«[a, b]: c\n")),
        arguments(FindingCode.SYNTAX, "not JSON", json("{\"a\": «nope}")),
        arguments(FindingCode.ALIAS, "anchors", yaml(HEAD + "kind: «&k Queue\nmetadata: *k\n")),
        arguments(FindingCode.ALIAS, "aliases", yaml("a: b\nc: «*k\n")),
        arguments(FindingCode.TAG, "tags", yaml("a: «!!java.net.URL [x]\n")),
        arguments(
            FindingCode.DUPLICATE_KEY,
            "'kind' stands here again; first in line 2",
            yaml(HEAD + "kind: Cohort\nmetadata: {name: ml}\n«kind: Cohort\n")),
        arguments(
            FindingCode.DUPLICATE_KEY,
            "'name'",
            json(
                "{\"apiVersion\": \"spillway.io/v1beta1\", \"kind\": \"Cohort\",\n"
                    + " \"metadata\": {\"name\": \"a\", «\"name\": \"b\"}}")),
        arguments(
            FindingCode.TOO_DEEP,
            "24 levels",
            yaml("[".repeat(25) + "«" + "[]".repeat(1) + "]".repeat(25))));
  }

  static Stream<Arguments> shape() {
    return Stream.of(
        arguments(FindingCode.NOT_A_DOCUMENT, "a mapping", yaml("«- a\n- b\n")),
        arguments(FindingCode.NOT_A_DOCUMENT, "a mapping", yaml("«just text\n")),
        arguments(
            FindingCode.API_VERSION, "spillway.io/v1beta1", yaml("apiVersion: «v1\nkind: Queue\n")),
        arguments(FindingCode.API_VERSION, "spillway.io/v1beta1", yaml("«kind: Queue\n")),
        arguments(FindingCode.UNKNOWN_KIND, "did you mean 'Queue'?", yaml(HEAD + "kind: «Queu\n")),
        arguments(FindingCode.MISSING_KEY, "'metadata'", yaml("«" + HEAD + "kind: Cohort\n")),
        arguments(
            FindingCode.MISSING_KEY, "'placement' is missing", queue("«limits: {maxPending: 3}")),
        arguments(
            FindingCode.UNKNOWN_KEY,
            "did you mean 'placement'?",
            queue("placement: {ladder: [{name: a}]}\n«placment: {}")),
        arguments(
            FindingCode.UNKNOWN_KEY,
            "did you mean 'maxPricePerGpuHour'?",
            queue("placement:\n  ladder:\n    - name: a\n      «maxPricePerGPU: 3")),
        arguments(FindingCode.UNKNOWN_KEY, "known are", queueWith("retry: {«zzzzzzzzzzzz: 3}")),
        arguments(FindingCode.WRONG_TYPE, "a list", queue("placement: {ladder: «{name: a}}")),
        arguments(FindingCode.WRONG_TYPE, "a mapping", queue("placement: «[]")),
        arguments(
            FindingCode.WRONG_TYPE,
            "is empty",
            queue("placement: {ladder: [{name: any, until:« }]}")),
        arguments(
            FindingCode.WRONG_TYPE, "a whole number", queueWith("limits: {maxPending: «many}")),
        arguments(
            FindingCode.WRONG_TYPE, "a whole number", queueWith("limits: {maxPending: «'3'}")),
        arguments(
            FindingCode.WRONG_TYPE, "a whole number", queueWith("limits: {maxPending: «3.5}")),
        arguments(
            FindingCode.WRONG_TYPE,
            "true or false",
            cluster("provider: aws\nregion: us-east-2\nallow: {privileged: «yes}")),
        arguments(FindingCode.BAD_VALUE, "at least 1", queue("placement: {ladder: «[]}")));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        arguments(
            FindingCode.BAD_NAME,
            "DNS label",
            yaml(HEAD + "kind: Cohort\nmetadata: {name: «Team_A}\n")),
        arguments(
            FindingCode.BAD_NAME,
            "is the number 7",
            yaml(HEAD + "kind: Cohort\nmetadata: {name: «7}\n")),
        arguments(
            FindingCode.BAD_DURATION, "90s, 15m, 6h, 2d", queueWith("retry: {backoff: «1 minute}")),
        arguments(FindingCode.BAD_DURATION, "is the number 15", queueWith("retry: {backoff: «15}")),
        arguments(
            FindingCode.BAD_DURATION,
            "more than nothing",
            queue("placement: {ladder: [{name: a, until: {waited: «0s}}, {name: b}]}")),
        arguments(
            FindingCode.BAD_PRICE,
            "four decimals",
            queue("placement: {ladder: [{name: a, maxPricePerGpuHour: «3.20001}]}")),
        arguments(
            FindingCode.BAD_PRICE,
            "four decimals",
            queue("placement: {ladder: [{name: a, maxPricePerGpuHour: «'$3'}]}")),
        arguments(
            FindingCode.BAD_PRICE,
            "four decimals",
            queue("placement: {ladder: [{name: a, maxPricePerGpuHour: «-1}]}")),
        arguments(
            FindingCode.BAD_PRICE,
            "is true",
            queue("placement: {ladder: [{name: a, maxPricePerGpuHour: «true}]}")),
        arguments(
            FindingCode.BAD_TIME,
            "RFC 3339",
            pool("nodes: 1\npricePerNodeHour: 1\nfrom: «2026-11-01")),
        arguments(
            FindingCode.BAD_TIME,
            "calendar",
            pool("nodes: 1\npricePerNodeHour: 1\nfrom: «2026-13-01T00:00:00Z")),
        arguments(
            FindingCode.BAD_VALUE,
            "did you mean 'on-demand'?",
            queue("placement: {ladder: [{name: a, capacityTypes: [«ondemand]}]}")),
        arguments(FindingCode.BAD_VALUE, "1 to 1000000000", queueWith("limits: {maxPending: «0}")),
        arguments(
            FindingCode.BAD_VALUE, "1 to 1000000000", pool("nodes: «-3\npricePerNodeHour: 1")),
        arguments(
            FindingCode.BAD_VALUE,
            "no time zone",
            queueWith("budget: {usdPerDay: 5, timeZone: «Mars/Olympus}")),
        arguments(
            FindingCode.BAD_VALUE,
            "20%",
            queue("placement: {ladder: [{name: a}], returnToCheaper: {minimumSaving: «200%}}")),
        arguments(
            FindingCode.BAD_VALUE,
            "RDMA",
            pool(
                "nodes: 1\npricePerNodeHour: 1\nfabric: «{type: efa, name: a, placementGroup: b}")),
        arguments(
            FindingCode.BAD_VALUE,
            "as the provider writes it",
            cluster(
                "provider: aws\nregion: us-east-2\n"
                    + "capacity: [{instanceType: «'a~b', capacityTypes: [spot], maxNodes: 1}]")),
        arguments(
            FindingCode.UNKNOWN_GPU,
            "nvidia-h100-80gb",
            queueWith("quota: [{gpu: «nvidia-h100, capacityTypes: [spot], max: 8}]")));
  }

  static Stream<Arguments> meaning() {
    return Stream.of(
        arguments(
            FindingCode.DUPLICATE_DOCUMENT,
            "first in a-base.yaml, line 14",
            yaml(
                HEAD
                    + "kind: Queue\nmetadata: {name: «base}\nspec: {placement: {ladder: [{name: a}]}}\n")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "did you mean 'ec2-p5'?",
            queue("placement: {ladder: [{name: a, pools: [«ec2-p4]}]}")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "no cluster 'nowhere'",
            queue("placement: {ladder: [{name: a, clusters: [eks-ohio, «nowhere]}]}")),
        arguments(FindingCode.UNKNOWN_REFERENCE, "no cohort", queueWith("cohort: «ml")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "no cohort",
            yaml(HEAD + "kind: Cohort\nmetadata: {name: a}\nspec: {parent: «b}\n")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "did you mean 'urgent'?",
            queueWith(
                "priorityClasses: {allowed: [normal, «urgnt]}\npreemption: {withinQueue: Never}")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "no queue 'nlp'",
            pool("nodes: 3\npricePerNodeHour: 1\nowners: {base: 1, «nlp: 2}")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "no queue",
            cluster(
                "provider: aws\nregion: us-east-2\nsecrets: {hf: {name: t, queues: [base, «none]}}")),
        arguments(
            FindingCode.UNKNOWN_REFERENCE,
            "no pool",
            queueWith("quota: [{gpu: nvidia-h100-80gb, pools: [«nope], nominalQuota: 8}]")),
        arguments(
            FindingCode.COHORT_CYCLE,
            "a → a",
            yaml(HEAD + "kind: Cohort\nmetadata: {name: a}\nspec: {parent: «a}\n")),
        arguments(
            FindingCode.BUILT_IN_CLASS,
            "value 1000",
            yaml(HEAD + "kind: PriorityClass\nmetadata: {name: urgent}\nvalue: «5\n")),
        arguments(
            FindingCode.DEFAULT_CLASS_NOT_ALLOWED,
            "'normal'",
            queueWith(
                "priorityClasses: {default: normal, allowed: «[low, urgent]}\npreemption: {withinQueue: Never}")),
        arguments(
            FindingCode.DUPLICATE_RUNG,
            "'a'",
            queue("placement: {ladder: [{name: a, capacityTypes: [spot]}, {name: «a}]}")),
        arguments(
            FindingCode.OVERLAPPING_CAPACITY,
            "entry 1",
            cluster(
                """
                provider: aws
                region: us-east-2
                capacity:
                  - {instanceType: p5.48xlarge, capacityTypes: [spot], zones: [use2-az1, use2-az2], maxNodes: 1}
                  - «{instanceType: p5.48xlarge, capacityTypes: [on-demand, spot], zones: [use2-az2], maxNodes: 1}
                """)),
        arguments(
            FindingCode.OWNERS_EXCEED_NODES,
            "owners have 5 nodes, the pool has 4",
            pool("nodes: 4\npricePerNodeHour: 1\nowners: «{base: 5}")),
        arguments(
            FindingCode.POOL_ENDS_BEFORE_IT_STARTS,
            "never exists",
            pool(
                "nodes: 1\npricePerNodeHour: 1\nfrom: 2026-11-02T00:00:00Z\nuntil: «2026-11-01T00:00:00Z")),
        arguments(
            FindingCode.QUOTA_OVERLAP,
            "spot",
            queueWith(
                "quota:\n  - {gpu: nvidia-h100-80gb, capacityTypes: [spot], max: 8}\n"
                    + "  - «{gpu: nvidia-h100-80gb, capacityTypes: [on-demand, spot], max: 8}")),
        arguments(
            FindingCode.NOMINAL_EXCEEDS_POOL,
            "sum up to 17 GPUs; there are 16",
            queueWith("quota: [{gpu: nvidia-h100-80gb, pools: [ec2-p5], nominalQuota: «17}]")),
        arguments(
            FindingCode.LENDING_EXCEEDS_NOMINAL,
            "nominalQuota (4)",
            queueWith(
                "quota: [{gpu: nvidia-h100-80gb, pools: [ec2-p5], nominalQuota: 4, lendingLimit: «5}]")),
        arguments(
            FindingCode.DUPLICATE_PRICE,
            "PriceOverride/a prices the same thing",
            yaml(
                HEAD
                    + "kind: PriceOverride\nmetadata: {name: a}\n"
                    + "spec: {provider: aws, region: us-east-2, instanceType: p5.48xlarge, capacityType: spot, usdPerGpuHour: 1}\n---\n"
                    + HEAD
                    + "kind: PriceOverride\nmetadata: {name: «b}\n"
                    + "spec: {provider: aws, region: us-east-2, instanceType: p5.48xlarge, capacityType: spot, usdPerGpuHour: 2}\n")));
  }

  @Test
  void an_oversize_file_is_refused_unread() {
    var big = new SourceFile("big.yaml", "#".repeat((1 << 20) + 1));

    assertThat(PolicyCompiler.compile(List.of(big)).findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.TOO_LARGE);
  }

  @Test
  void a_bomb_of_aliases_is_refused_at_its_first_anchor() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertThat(
            PolicyCompiler.compile(List.of(new SourceFile("bomb.yaml", bomb.toString())))
                .findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).isEqualTo(FindingCode.ALIAS);
              assertThat(finding.line()).isEqualTo(1);
              assertThat(finding.column()).isEqualTo(5);
            });
  }

  @Test
  void a_set_made_to_keep_the_linter_busy_is_answered_in_seconds() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      text.append(HEAD)
          .append(
              "kind: Queue\nmetadata: {name: q%d}\nspec: {cohort: none%d, placement: {ladder: ["
                  .formatted(i, i))
          .append("{name: a, pools: [p%d], clusters: [c%d]}".formatted(i, i))
          .append("]}}\n---\n");
    }
    SourceFile file = new SourceFile("busy.yaml", text.toString());

    List<Finding> findings =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> PolicyCompiler.compile(List.of(file)).findings());

    assertThat(findings)
        .extracting(Finding::code)
        .contains(FindingCode.UNKNOWN_REFERENCE)
        .hasSizeLessThanOrEqualTo(2_000);
  }

  @Test
  void all_that_is_wrong_is_told_at_once() {
    Compilation compilation =
        PolicyCompiler.compile(
            List.of(
                Marked.queueWith("wieght: 3\nretry: {backoff: «soon, userFailures: -1}").file(),
                yaml("a: «b\n").file()));

    assertThat(compilation.findings())
        .extracting(Finding::code)
        .contains(FindingCode.UNKNOWN_KEY, FindingCode.BAD_DURATION, FindingCode.BAD_VALUE);
  }
}
