package io.spillway.capacity.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AwsEventsTest {
  private static final Instant TIME = Instant.parse("2026-11-30T08:15:42Z");

  private final List<Failure> classified = new ArrayList<>();
  private final AwsEvents events =
      new AwsEvents(
          failure -> {
            classified.add(failure);
            return new CapacityFailure(
                FailureClass.NO_CAPACITY,
                BlockScope.of(failure.key()),
                Duration.ofMinutes(3),
                failure.code(),
                failure.at());
          },
          new AwsZones(),
          AwsEvents.USUAL);

  @Test
  void a_spot_warning_is_an_interruption_two_minutes_ahead() {
    CapacityNotice notice =
        notice(
            event(
                "aws.ec2",
                "EC2 Spot Instance Interruption Warning",
                "{\"instance-id\":\"i-0aa\",\"instance-action\":\"terminate\"}"));

    assertThat(notice.kind()).isEqualTo(Kind.INTERRUPTION);
    assertThat(notice.instances()).containsExactly("i-0aa");
    assertThat(notice.deadline()).contains(TIME.plusSeconds(120));
    assertThat(notice.account()).isEqualTo("prod-gpu");
    assertThat(notice.region()).isEqualTo("us-east-2");
    assertThat(notice.noticeId()).isEqualTo("aws:e-1");
  }

  @Test
  void a_hibernation_starts_at_once() {
    CapacityNotice notice =
        notice(
            event(
                "aws.ec2",
                "EC2 Spot Instance Interruption Warning",
                "{\"instance-id\":\"i-0aa\",\"instance-action\":\"hibernate\"}"));

    assertThat(notice.deadline()).contains(TIME);
  }

  @Test
  void how_long_ec2_warns_can_be_told_and_a_fact_that_is_none_is_named() {
    EventNormalizer told =
        new AwsProvider().with(Map.of("reservation-notice", Duration.ofSeconds(90))).normalizer();
    String warning =
        event(
            "aws.ec2",
            "EC2 Capacity Reservation Instance Interruption Warning",
            "{\"instance-id\":\"i-0aa\",\"instance-action\":\"terminate\"}");

    Notices read = (Notices) told.normalize(warning, (provider, id) -> Optional.of("prod"), TIME);

    assertThat(read.notices().getFirst().deadline()).contains(TIME.plusSeconds(90));
    assertThatThrownBy(() -> new AwsProvider().with(Map.of("spot-notise", Duration.ofMinutes(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spot-notise")
        .hasMessageContaining("spot-notice");
  }

  @Test
  void a_rebalance_recommendation_is_a_risk_without_a_deadline() {
    CapacityNotice notice =
        notice(
            event(
                "aws.ec2", "EC2 Instance Rebalance Recommendation", "{\"instance-id\":\"i-0aa\"}"));

    assertThat(notice.kind()).isEqualTo(Kind.RISK);
    assertThat(notice.deadline()).isEmpty();
  }

  @Test
  void states_on_the_way_out_are_losses_and_running_is_told_too() {
    for (String state : List.of("stopping", "stopped", "shutting-down", "terminated")) {
      assertThat(notice(stateChange(state)).kind()).as(state).isEqualTo(Kind.LOSS);
    }
    assertThat(notice(stateChange("running")).kind()).isEqualTo(Kind.RUNNING);
    assertThat(normalize(stateChange("pending"))).isInstanceOf(Irrelevant.class);
  }

  @Test
  void a_scheduled_change_of_health_is_maintenance_at_its_start() {
    CapacityNotice notice =
        notice(
            event(
                "aws.health",
                "AWS Health Event",
                "{\"service\":\"EC2\",\"eventTypeCategory\":\"scheduledChange\","
                    + "\"startTime\":\"Fri, 04 Dec 2026 01:00:00 GMT\","
                    + "\"affectedEntities\":[{\"entityValue\":\"i-0aa\"}]}"));

    assertThat(notice.kind()).isEqualTo(Kind.MAINTENANCE);
    assertThat(notice.deadline()).contains(Instant.parse("2026-12-04T01:00:00Z"));
  }

  @Test
  void a_change_that_health_called_off_drains_nothing() {
    assertThat(
            normalize(
                event(
                    "aws.health",
                    "AWS Health Event",
                    "{\"service\":\"EC2\",\"eventTypeCategory\":\"scheduledChange\","
                        + "\"statusCode\":\"closed\",\"startTime\":\"2026-12-04T01:00:00Z\","
                        + "\"affectedEntities\":[{\"entityValue\":\"i-0aa\"}]}")))
        .isInstanceOf(Irrelevant.class);
  }

  @Test
  void the_end_of_a_capacity_block_interrupts_all_that_runs_on_it_ten_minutes_later() {
    for (String type :
        List.of(
            "Capacity Block Reservation Expiration Warning", "Capacity Block Expiration Warning")) {
      CapacityNotice notice =
          notice(
              event(
                  "aws.ec2",
                  type,
                  "{\"capacity-reservation-id\":\"cr-1\",\"end-date\":\"2026-11-30T09:00:00Z\"}"));
      assertThat(notice.kind()).isEqualTo(Kind.INTERRUPTION);
      assertThat(notice.instances()).isEmpty();
      assertThat(notice.offering().orElseThrow().reservation()).contains("cr-1");
      assertThat(notice.deadline()).contains(TIME.plusSeconds(600));
    }
    assertThat(
            normalize(
                event(
                    "aws.ec2",
                    "Capacity Block Reservation Delivered",
                    "{\"capacity-reservation-id\":\"cr-1\"}")))
        .isInstanceOf(Irrelevant.class);
  }

  @Test
  void instances_of_a_reservation_are_warned_like_spot() {
    for (String type :
        List.of(
            "EC2 Capacity Reservation Instance Interruption Warning",
            "EC2 Interruptible Capacity Reservation Instance Interruption Warning")) {
      assertThat(
              notice(
                      event(
                          "aws.ec2",
                          type,
                          "{\"instance-id\":\"i-0aa\",\"instance-action\":\"terminate\"}"))
                  .deadline())
          .contains(TIME.plusSeconds(120));
    }
  }

  @Test
  void a_failed_call_in_cloudtrail_is_a_failure_of_that_zone_and_market_at_its_own_time() {
    Normalized result =
        normalize(
            event(
                "aws.ec2",
                "AWS API Call via CloudTrail",
                "{\"eventName\":\"RunInstances\",\"errorCode\":\"Server.InsufficientInstanceCapacity\","
                    + "\"errorMessage\":\"no capacity\",\"requestParameters\":{\"instanceType\":"
                    + "\"p5.48xlarge\",\"placement\":{\"availabilityZone\":\"us-east-2a\"},"
                    + "\"instanceMarketOptions\":{\"marketType\":\"spot\"}}}"));

    assertThat(result).isInstanceOf(Failures.class);
    Failure failure = classified.getFirst();
    assertThat(failure.code()).isEqualTo("InsufficientInstanceCapacity");
    assertThat(failure.at()).isEqualTo(TIME);
    assertThat(failure.key().zone()).isEqualTo("us-east-2a");
    assertThat(failure.key().capacityType()).isEqualTo(CapacityType.SPOT);
  }

  @Test
  void KAR_20_a_failed_on_demand_call_never_blocks_spot() {
    normalize(
        event(
            "aws.ec2",
            "AWS API Call via CloudTrail",
            "{\"eventName\":\"RunInstances\",\"errorCode\":\"InsufficientInstanceCapacity\","
                + "\"requestParameters\":{\"instanceType\":\"p5.48xlarge\"}}"));

    assertThat(classified.getFirst().key().capacityType()).isEqualTo(CapacityType.ON_DEMAND);
  }

  @Test
  void a_call_that_succeeded_says_nothing_of_capacity() {
    assertThat(
            normalize(
                event(
                    "aws.ec2",
                    "AWS API Call via CloudTrail",
                    "{\"eventName\":\"RunInstances\",\"requestParameters\":{}}")))
        .isInstanceOf(Irrelevant.class);
  }

  @Test
  void an_auto_scaling_failure_is_read_from_its_words_and_never_from_the_groups_name() {
    normalize(
        event(
            "aws.autoscaling",
            "EC2 Instance Launch Unsuccessful",
            "{\"AutoScalingGroupName\":\"g5.xlarge-us-west-2b\",\"StatusMessage\":\"We currently do"
                + " not have sufficient p4d.24xlarge capacity in the Availability Zone you requested"
                + " (us-east-2b). Launching EC2 instance failed.\",\"Details\":{\"Availability"
                + " Zone\":\"us-east-2b\"}}"));

    assertThat(classified.getFirst().key().instanceType()).isEqualTo("p4d.24xlarge");
    assertThat(classified.getFirst().key().zone()).isEqualTo("us-east-2b");
  }

  @Test
  void a_fleet_error_names_type_zone_and_code_in_its_description() {
    normalize(
        event(
            "aws.ec2fleet",
            "EC2 Fleet Error",
            "{\"sub-type\":\"allLaunchSpecsTemporarilyBlacklisted\",\"description\":\"p5.48xlarge,"
                + " ami-0, Linux/UNIX, us-east-2a: InsufficientInstanceCapacity\"}"));

    assertThat(classified.getFirst().code()).isEqualTo("InsufficientInstanceCapacity");
    assertThat(classified.getFirst().key().zone()).isEqualTo("us-east-2a");
  }

  @Test
  void KAR_16_what_is_not_understood_is_told_apart_from_what_is_not_ours() {
    assertThat(normalize("{\"specversion\":\"1.0\",\"source\":\"spillway\"}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize(event("aws.ec2", "EC2 Something New", "{}")))
        .isEqualTo(new Malformed("unknown type 'EC2 Something New'"));
    assertThat(normalize(event("aws.autoscaling", "EC2 Instance Launch Successful", "{}")))
        .isInstanceOf(Irrelevant.class);
    assertThat(
            normalize(event("aws.ec2", "EC2 Instance Rebalance Recommendation", "{\"other\":1}")))
        .isEqualTo(new Malformed("field 'instance-id' is missing"));
    assertThat(normalize("{\"source\":\"aws.ec2\"}")).isInstanceOf(Malformed.class);
    assertThat(normalize("not json")).isInstanceOf(Malformed.class);
  }

  private static String stateChange(String state) {
    return event(
        "aws.ec2",
        "EC2 Instance State-change Notification",
        "{\"instance-id\":\"i-0aa\",\"state\":\"" + state + "\"}");
  }

  private CapacityNotice notice(String json) {
    return ((Notices) normalize(json)).notices().getFirst();
  }

  private Normalized normalize(String json) {
    return events.normalize(
        json,
        (provider, id) -> id.equals("210987654321") ? Optional.of("prod-gpu") : Optional.empty(),
        TIME.plusSeconds(60));
  }

  private static String event(String source, String type, String detail) {
    return ("{\"version\":\"0\",\"id\":\"e-1\",\"detail-type\":\"%s\",\"source\":\"%s\",\"account\":"
            + "\"210987654321\",\"time\":\"%s\",\"region\":\"us-east-2\",\"resources\":[],"
            + "\"detail\":%s}")
        .formatted(type, source, TIME, detail);
  }
}
