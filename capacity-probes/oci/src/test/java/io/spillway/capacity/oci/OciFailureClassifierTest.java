package io.spillway.capacity.oci;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.testkit.FailureClassifierContract;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OciFailureClassifierTest implements FailureClassifierContract {
  private static final String SHAPE =
      "oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open";

  private final OciFailureClassifier classifier = new OciFailureClassifier();

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "oci", "eu-frankfurt-1", "eu-frankfurt-1-ad-1", "BM.GPU.H100.8", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          500 | InternalError | Out of host capacity. | NO_CAPACITY | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          0 | FailedToScaleUpGroup | Scale-up failed for group x: Out of host capacity | NO_CAPACITY | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          0 | - | Out of capacity in the work request | NO_CAPACITY | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          0 | OUT_OF_HOST_CAPACITY | - | NO_CAPACITY | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          0 | HARDWARE_NOT_SUPPORTED | - | INVALID | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT24H
          400 | LimitExceeded | The following service limits were exceeded: gpu4-count. | QUOTA | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/*/open | PT10M
          400 | LimitExceeded | The following service limits were exceeded: gpu-h100-count. Request a service limit increase. | QUOTA | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          0 | FailedToScaleUpGroup | Scale-up failed for group ocid1.nodepool.x: LimitExceeded: no more of these | QUOTA | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/*/open | PT10M
          0 | Unfulfilled | OCI cannot provision additional instances for this instance pool. Review quota and/or capacity. | NO_CAPACITY | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          0 | FailedToScaleUpGroup | Scale-up failed for group x: OutOfCapacity: none left | NO_CAPACITY | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/open | PT10M
          400 | LimitExceeded | The service limit is 0 for this shape | QUOTA | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/*/open | PT24H
          400 | QuotaExceeded | - | QUOTA | oci/prod/eu-frankfurt-1/*/*/open | PT1H
          429 | TooManyRequests | Too many requests for the user | THROTTLED | oci/prod/eu-frankfurt-1/*/*/* | PT5S
          401 | NotAuthenticated | - | AUTH | oci/prod/*/*/*/* | PT1H
          403 | NotAuthorized | - | AUTH | oci/prod/*/*/*/* | PT1H
          402 | SignUpRequired | - | AUTH | oci/prod/*/*/*/* | PT1H
          404 | NotAuthorizedOrNotFound | Authorization failed or requested resource not found. | AUTH | oci/prod/eu-frankfurt-1/*/*/* | PT1H
          400 | InvalidParameter | - | INVALID | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT0S
          400 | CannotParseRequest | - | INVALID | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT0S
          400 | MissingParameter | - | INVALID | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT0S
          400 | NeverSeenBefore | - | INVALID | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT0S
          409 | IncorrectState | - | TRANSIENT | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT5S
          409 | InvalidatedRetryToken | - | TRANSIENT | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT5S
          412 | NoEtagMatch | - | TRANSIENT | oci/prod/eu-frankfurt-1/eu-frankfurt-1-ad-1/BM.GPU.H100.8/on-demand | PT5S
          500 | InternalServerError | - | TRANSIENT | oci/prod/eu-frankfurt-1/*/*/* | PT5S
          500 | InternalError | An internal error occurred. | TRANSIENT | oci/prod/eu-frankfurt-1/*/*/* | PT5S
          502 | - | - | TRANSIENT | oci/prod/eu-frankfurt-1/*/*/* | PT5S
          503 | ServiceUnavailable | - | TRANSIENT | oci/prod/eu-frankfurt-1/*/*/* | PT5S
          504 | - | - | TRANSIENT | oci/prod/eu-frankfurt-1/*/*/* | PT5S
          """)
  void every_row_of_the_table(
      int status, String code, String message, FailureClass expected, String scope, String block) {
    CapacityFailure answer = classify(code, message, status, CapacityType.ON_DEMAND);
    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text()).isEqualTo(scope);
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
  }

  @Test
  void KAR_19_out_of_host_capacity_is_read_from_the_text_of_a_server_error() {
    for (String message :
        new String[] {
          "Out of host capacity.",
          "OUT OF HOST CAPACITY",
          "Service error:InternalError. Out of host capacity.. http status code: 500.",
          "{\"code\": \"InternalError\", \"message\": \"Out of host capacity.\"}",
          "node pool failed: \"{\\\"message\\\":\\\"Out of host capacity.\\\"}\""
        }) {
      CapacityFailure answer = classify("InternalError", message, 500, CapacityType.SPOT);
      assertThat(answer.failureClass()).as(message).isEqualTo(FailureClass.NO_CAPACITY);
      assertThat(answer.scope().text()).isEqualTo(SHAPE);
    }
  }

  @Test
  void
      SLU_09_an_internal_error_that_is_missing_capacity_blocks_the_shape_so_that_jobs_go_elsewhere() {
    for (CapacityType market : CapacityType.values()) {
      CapacityFailure answer = classify("InternalError", "Out of host capacity.", 500, market);
      assertThat(answer.failureClass()).as("%s", market).isEqualTo(FailureClass.NO_CAPACITY);
      assertThat(answer.scope().covers(key(market))).as("%s", market).isTrue();
      assertThat(answer.block()).as("%s", market).isGreaterThanOrEqualTo(Duration.ofMinutes(10));
    }
  }

  @Test
  void SLU_09_a_server_error_about_a_machine_called_like_that_is_a_fault_and_not_capacity() {
    assertThat(
            classify(
                    "InternalError",
                    "launch of 'out of host capacity' (out-of-host-capacity-0) failed",
                    500,
                    CapacityType.ON_DEMAND)
                .failureClass())
        .isEqualTo(FailureClass.TRANSIENT);
  }

  @Test
  void a_domain_without_free_hosts_still_has_the_hosts_that_are_reserved_in_it() {
    CapacityFailure onDemand =
        classify("InternalError", "Out of host capacity.", 500, CapacityType.ON_DEMAND);
    assertThat(onDemand.scope().covers(key(CapacityType.SPOT))).isTrue();
    assertThat(onDemand.scope().covers(key(CapacityType.RESERVED))).isFalse();

    CapacityFailure inside =
        classify("InternalError", "Out of host capacity.", 500, CapacityType.RESERVED);
    assertThat(inside.scope().covers(key(CapacityType.RESERVED))).isTrue();
    assertThat(inside.scope().covers(key(CapacityType.ON_DEMAND))).isFalse();
    assertThat(inside.scope().text()).endsWith("/BM.GPU.H100.8/reserved/res-1");
  }

  @Test
  void a_full_capacity_reservation_blocks_the_reservation_alone() {
    CapacityFailure answer =
        classify(
            "InvalidParameter",
            "The capacity reservation has no room for this shape",
            400,
            CapacityType.RESERVED);
    assertThat(answer.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(answer.scope().kind()).isEqualTo("reservation");
  }

  private CapacityFailure classify(String code, String message, int status, CapacityType type) {
    return classifier.classify(
        new Failure(
            key(type), code == null ? "" : code, message == null ? "" : message, status, AT));
  }
}
