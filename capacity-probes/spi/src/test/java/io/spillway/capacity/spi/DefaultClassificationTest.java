package io.spillway.capacity.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultClassificationTest {
  private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");
  private static final MarketKey KEY =
      new MarketKey(
          "stratus", "prod", "eu-1", "eu-1a", "h100x8", CapacityType.SPOT, Optional.empty());

  private final DefaultClassification defaults = new DefaultClassification();

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          401 | - | - | AUTH | stratus/prod/*/*/*/* | PT1H
          402 | - | - | QUOTA | stratus/prod/*/*/*/open | PT1H
          403 | - | - | AUTH | stratus/prod/*/*/*/* | PT1H
          403 | - | your quota is used up | QUOTA | stratus/prod/eu-1/*/*/open | PT10M
          403 | - | the limit is 0 | QUOTA | stratus/prod/eu-1/*/*/open | PT24H
          403 | - | no capacity left | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          404 | - | - | INVALID | stratus/prod/eu-1/eu-1a/h100x8/spot | PT0S
          408 | - | - | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          425 | - | - | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          409 | - | - | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          400 | - | - | INVALID | stratus/prod/eu-1/eu-1a/h100x8/spot | PT0S
          405 | - | - | INVALID | stratus/prod/eu-1/eu-1a/h100x8/spot | PT0S
          415 | - | - | INVALID | stratus/prod/eu-1/eu-1a/h100x8/spot | PT0S
          422 | - | - | INVALID | stratus/prod/eu-1/eu-1a/h100x8/spot | PT0S
          429 | - | - | THROTTLED | stratus/prod/eu-1/*/*/* | PT5S
          503 | - | the region is out of stock | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          500 | GPU_STOCKOUT | - | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          503 | ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS | - | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          500 | - | There are no longer any instances available | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          502 | - | not enough resources | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          500 | - | oops | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          504 | - | - | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          0 | - | read timed out | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          0 | - | connection reset by peer | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          0 | - | dial tcp: lookup api: no such host | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          0 | - | TLS handshake failure | TRANSIENT | stratus/prod/eu-1/*/*/* | PT5S
          0 | FailedScaleUp | Node scale up in zones x associated with this pod failed: GCE out of resources. | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          0 | FailedScaleUp | GCE quota exceeded | QUOTA | stratus/prod/eu-1/*/*/open | PT10M
          0 | NotTriggerScaleUp | pod didn't trigger scale-up: 1 max node group size reached | QUOTA | stratus/prod/eu-1/eu-1a/h100x8/spot | PT10M
          0 | NotTriggerScaleUp | pod didn't trigger scale-up: 2 in backoff after failed scale-up | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT10M
          0 | NotTriggerScaleUp | 2 node(s) didn't match Pod's node affinity/selector | INVALID | stratus/prod/eu-1/eu-1a/h100x8/spot | PT10M
          0 | ScaleUpTimedOut | Nodes added to group g failed to register within 15m | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT10M
          0 | FailedScheduling | 0/12 nodes are available: 4 Insufficient nvidia.com/gpu | NO_CAPACITY | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          0 | Whatever | something else | UNKNOWN | stratus/prod/eu-1/eu-1a/h100x8/spot | PT5M
          """)
  void every_row_of_the_defaults(
      int status, String code, String message, FailureClass expected, String scope, String block) {
    CapacityFailure answer =
        defaults.classify(
            new Failure(KEY, code == null ? "" : code, message == null ? "" : message, status, AT));
    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text()).isEqualTo(scope);
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
  }

  @Test
  void KAR_07_an_outage_of_the_api_is_its_own_class_and_no_limit() {
    assertThat(said("", "the service is unavailable", 503)).isEqualTo(FailureClass.TRANSIENT);
  }

  @Test
  void KAR_03_a_throttled_call_is_no_limit_and_no_missing_capacity() {
    assertThat(said("RequestLimitExceeded", "", 0)).isEqualTo(FailureClass.THROTTLED);
    assertThat(said("", "Too Many Requests: rate limit of capacity calls", 0))
        .isEqualTo(FailureClass.THROTTLED);
  }

  @Test
  void KAR_20_the_scope_is_built_from_what_was_asked_for() {
    CapacityFailure answer = defaults.classify(new Failure(KEY, "", "out of stock", 500, AT));
    assertThat(answer.scope().capacityType()).contains(CapacityType.SPOT);
    assertThat(answer.scope().covers(KEY)).isTrue();
  }

  @Test
  void absent_words_are_empty_words() {
    assertThat(said(null, null, 0)).isEqualTo(FailureClass.UNKNOWN);
  }

  private FailureClass said(String code, String message, int status) {
    return defaults.classify(new Failure(KEY, code, message, status, AT)).failureClass();
  }
}
