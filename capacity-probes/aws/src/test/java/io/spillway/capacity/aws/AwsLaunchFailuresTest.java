package io.spillway.capacity.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Refusals in events, with the real classifier and the zones that a probe has learnt. */
class AwsLaunchFailuresTest {
  private static final Instant TIME = Instant.parse("2026-11-30T08:15:42Z");

  private final AwsZones zones = new AwsZones();
  private final AwsEvents events =
      new AwsEvents(new AwsFailureClassifier(), zones, AwsEvents.USUAL);

  @Test
  void the_zone_of_an_event_is_the_one_that_offerings_are_keyed_by() {
    zones.learn("prod", "us-east-2a", "use2-az1");
    zones.learn("other", "us-east-2a", "use2-az3");

    CapacityFailure failure =
        only(
            cloudTrail(
                "\"eventName\":\"RunInstances\",\"errorCode\":\"Server.InsufficientInstanceCapacity\","
                    + "\"errorMessage\":\"no\",\"requestParameters\":{\"instanceType\":\"p5.48xlarge\","
                    + "\"placement\":{\"availabilityZone\":\"us-east-2a\"},"
                    + "\"instanceMarketOptions\":{\"marketType\":\"spot\"}}"));

    assertThat(failure.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(failure.scope().text()).isEqualTo("aws/prod/us-east-2/use2-az1/p5.48xlarge/spot");
    assertThat(failure.at()).isEqualTo(TIME);
  }

  @Test
  void a_launch_that_asked_for_no_zone_failed_in_all_of_them() {
    CapacityFailure failure =
        only(
            cloudTrail(
                "\"eventName\":\"RunInstances\",\"errorCode\":\"InsufficientInstanceCapacity\","
                    + "\"requestParameters\":{\"instanceType\":\"p5.48xlarge\"}"));

    assertThat(failure.scope().text()).isEqualTo("aws/prod/us-east-2/*/p5.48xlarge/on-demand");
  }

  @Test
  void a_launch_into_a_reservation_blocks_that_reservation_only() {
    CapacityFailure failure =
        only(
            cloudTrail(
                "\"eventName\":\"RunInstances\",\"errorCode\":\"ReservationCapacityExceeded\","
                    + "\"requestParameters\":{\"instanceType\":\"p5.48xlarge\",\"placement\":{"
                    + "\"availabilityZone\":\"us-east-2a\"},\"capacityReservationSpecification\":{"
                    + "\"capacityReservationTarget\":{\"capacityReservationId\":\"cr-1\"}}}"));

    assertThat(failure.scope().reservation()).contains("cr-1");
    assertThat(failure.block()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void a_fleet_that_answers_200_tells_each_pools_refusal() {
    zones.learn("prod", "us-east-2a", "use2-az1");
    Failures failures =
        (Failures)
            cloudTrail(
                "\"eventName\":\"CreateFleet\",\"responseElements\":{\"CreateFleetResponse\":{\"fleetId\":"
                    + "\"fleet-0abc\",\"errorSet\":{\"item\":["
                    + item("spot", "UnfulfillableCapacity", "p5.48xlarge")
                    + ","
                    + item("on-demand", "VcpuLimitExceeded", "p5.48xlarge")
                    + "]}}}");

    assertThat(failures.failures())
        .extracting(failure -> failure.failureClass() + " " + failure.scope().text())
        .containsExactly(
            "NO_CAPACITY aws/prod/us-east-2/use2-az1/p5.48xlarge/spot",
            "QUOTA aws/prod/us-east-2/*/p/on-demand");
    assertThat(
            cloudTrail(
                "\"eventName\":\"CreateFleet\",\"responseElements\":{\"CreateFleetResponse\":{\"errorSet\":"
                    + "{\"item\":"
                    + item("spot", "UnfulfillableCapacity", "p5.48xlarge")
                    + "}}}"))
        .isInstanceOf(Failures.class);
    assertThat(
            cloudTrail(
                "\"eventName\":\"CreateFleet\",\"responseElements\":{\"CreateFleetResponse\":{\"errorSet\":"
                    + "\"\"}}"))
        .isInstanceOf(Irrelevant.class);
  }

  private static String item(String lifecycle, String code, String type) {
    return ("{\"lifecycle\":\"%s\",\"errorCode\":\"%s\",\"errorMessage\":\"made up\","
            + "\"launchTemplateAndOverrides\":{\"overrides\":{\"instanceType\":\"%s\","
            + "\"availabilityZone\":\"us-east-2a\"}}}")
        .formatted(lifecycle, code, type);
  }

  @Test
  void activities_of_auto_scaling_groups_are_read_by_their_prose() {
    assertThat(
            activity(
                "Could not launch On-Demand Instances. InsufficientInstanceCapacity - We currently do"
                    + " not have sufficient p5.48xlarge capacity in the Availability Zone you"
                    + " requested (us-east-2b). Launching EC2 instance failed."))
        .isEqualTo(
            "NO_CAPACITY aws/prod/us-east-2/us-east-2b/p5.48xlarge/on-demand PT15M InsufficientInstanceCapacity");
    assertThat(
            activity(
                "We currently do not have sufficient p5.48xlarge capacity in the Availability Zone you"
                    + " requested (us-east-2b). Our system will be working on provisioning additional"
                    + " capacity."))
        .startsWith("NO_CAPACITY aws/prod/us-east-2/us-east-2b/p5.48xlarge/on-demand PT15M");
    assertThat(
            activity(
                "Could not launch Spot Instances. UnfulfillableCapacity - Unable to fulfill capacity"
                    + " due to your request configuration (p5.48xlarge, us-east-2b)."))
        .startsWith("NO_CAPACITY aws/prod/us-east-2/us-east-2b/p5.48xlarge/spot PT3M");
    assertThat(
            activity(
                "You have requested more vCPU capacity than your current vCPU limit of 0 allows for the"
                    + " instance bucket that p5.48xlarge belongs to."))
        .startsWith("QUOTA aws/prod/us-east-2/*/p/on-demand PT24H");
    assertThat(
            activity(
                "Your requested instance type (p5.48xlarge) is not supported in your requested"
                    + " Availability Zone (us-east-2b). Please retry your request."))
        .startsWith("INVALID aws/prod/us-east-2/us-east-2b/p5.48xlarge/open PT24H");
  }

  @Test
  void a_limit_of_a_fleet_needs_no_instance_type() {
    CapacityFailure failure =
        only(
            read(
                "aws.ec2fleet",
                "EC2 Fleet Error",
                "{\"sub-type\":\"spotInstanceCountLimitExceeded\",\"description\":\"limit\"}"));

    assertThat(failure.failureClass()).isEqualTo(FailureClass.QUOTA);
    assertThat(failure.scope().text()).isEqualTo("aws/prod/us-east-2/*/*/spot");
  }

  private String activity(String message) {
    CapacityFailure failure =
        only(
            read(
                "aws.autoscaling",
                "EC2 Instance Launch Unsuccessful",
                "{\"AutoScalingGroupName\":\"quota-exceeded\",\"StatusMessage\":\""
                    + message
                    + "\"}"));
    return failure.failureClass()
        + " "
        + failure.scope().text()
        + " "
        + failure.block()
        + " "
        + failure.code();
  }

  private static CapacityFailure only(Normalized read) {
    assertThat(read).isInstanceOf(Failures.class);
    List<CapacityFailure> failures = ((Failures) read).failures();
    assertThat(failures).hasSize(1);
    return failures.getFirst();
  }

  private Normalized cloudTrail(String detail) {
    return read("aws.ec2", "AWS API Call via CloudTrail", "{" + detail + "}");
  }

  private Normalized read(String source, String type, String detail) {
    return events.normalize(
        ("{\"id\":\"e-1\",\"detail-type\":\"%s\",\"source\":\"%s\",\"account\":\"210987654321\","
                + "\"time\":\"%s\",\"region\":\"us-east-2\",\"detail\":%s}")
            .formatted(type, source, TIME, detail),
        (provider, id) -> Optional.of("prod"),
        TIME);
  }
}
