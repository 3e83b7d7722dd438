package io.spillway.capacity.oci;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OciEventsTest {
  private static final Instant TIME = Instant.parse("2026-11-30T08:15:42Z");

  private final List<Failure> classified = new ArrayList<>();
  private final OciEvents events =
      new OciEvents(
          failure -> {
            classified.add(failure);
            return new CapacityFailure(
                FailureClass.NO_CAPACITY,
                BlockScope.of(failure.key()),
                Duration.ofMinutes(5),
                failure.message(),
                failure.at());
          },
          new OciProvider().facts());

  @Test
  void how_long_oci_warns_can_be_told() {
    Normalized told =
        new OciProvider()
            .with(Map.of("spot-notice", Duration.ofSeconds(90)))
            .normalizer()
            .normalize(
                event("com.oraclecloud.computeapi.instancepreemptionaction", "{}"),
                (provider, id) -> Optional.empty(),
                TIME);

    assertThat(((Notices) told).notices().getFirst().deadline()).contains(TIME.plusSeconds(90));
  }

  @Test
  void a_preemption_action_is_an_interruption_two_minutes_ahead() {
    CapacityNotice notice =
        ((Notices)
                normalize(
                    event(
                        "com.oraclecloud.computeapi.instancepreemptionaction",
                        "{\"preemptionAction\":\"TERMINATE\"}")))
            .notices()
            .getFirst();

    assertThat(notice.kind()).isEqualTo(Kind.INTERRUPTION);
    assertThat(notice.instances()).containsExactly("ocid1.instance.oc1.iad.cccc");
    assertThat(notice.deadline()).contains(TIME.plusSeconds(120));
    assertThat(notice.account()).isEqualTo("gpu");
    assertThat(notice.region()).isEqualTo("eu-frankfurt-1");
  }

  @Test
  void ashburn_is_a_region_although_its_domains_leave_out_the_number() {
    String json =
        event("com.oraclecloud.computeapi.instancepreemptionaction", "{}")
            .replace("EU-FRANKFURT-1-AD-1", "US-ASHBURN-AD-1");

    assertThat(((Notices) normalize(json)).notices().getFirst().region()).isEqualTo("us-ashburn-1");
  }

  @Test
  void phoenix_is_called_by_its_airport_and_a_region_without_domain_stands_in_the_ocid() {
    String json = event("com.oraclecloud.computeapi.instancepreemptionaction", "{}");

    assertThat(regionOf(json.replace("EU-FRANKFURT-1-AD-1", "PHX-AD-2"))).isEqualTo("us-phoenix-1");
    assertThat(regionOf(json.replace("\"availabilityDomain\":\"AbCd:EU-FRANKFURT-1-AD-1\",", "")))
        .isEqualTo("us-ashburn-1");
  }

  @Test
  void whoever_stops_or_resets_a_machine_ends_what_runs_there() {
    for (String action : List.of("stop", "softstop", "reset", "softreset")) {
      Normalized result =
          normalize(
              event(
                  "com.oraclecloud.computeapi.instanceaction.begin",
                  "{\"instanceActionType\":\"" + action + "\"}"));
      assertThat(((Notices) result).notices().getFirst().kind()).as(action).isEqualTo(Kind.LOSS);
    }
    assertThat(
            ((Notices)
                    normalize(
                        event(
                            "com.oraclecloud.computeapi.instanceaction.end",
                            "{\"instanceActionType\":\"start\"}")))
                .notices()
                .getFirst()
                .kind())
        .isEqualTo(Kind.RUNNING);
  }

  @Test
  void maintenance_is_told_with_the_beginning_of_its_window() {
    Normalized result =
        normalize(
            event(
                "com.oraclecloud.computeapi.instancemaintenance.scheduled",
                "{\"timeWindowStart\":\"2026-12-02T00:00:00Z\"}"));

    CapacityNotice notice = ((Notices) result).notices().getFirst();
    assertThat(notice.kind()).isEqualTo(Kind.MAINTENANCE);
    assertThat(notice.deadline()).contains(Instant.parse("2026-12-02T00:00:00Z"));
  }

  @Test
  void KAR_16_an_unknown_type_is_kept_and_one_that_says_nothing_of_capacity_is_not() {
    assertThat(normalize(event("com.oraclecloud.computeapi.fluxevent", "{}")))
        .isEqualTo(
            new Malformed("unknown type of an OCI event: com.oraclecloud.computeapi.fluxevent"));
    assertThat(normalize(event("com.oraclecloud.objectstorage.createobject", "{}")))
        .isInstanceOf(Malformed.class);
    assertThat(normalize(event("com.oraclecloud.computeapi.launchinstance.begin", "{}")))
        .isInstanceOf(Irrelevant.class);
  }

  @Test
  void shuffled_and_repeated_and_wrapped_events_say_the_same() {
    String preemption =
        event("com.oraclecloud.computeapi.instancepreemptionaction", "{\"new\":{\"field\":1}}");
    Normalized bare = normalize(preemption);
    String quoted = '"' + preemption.replace("\\", "\\\\").replace("\"", "\\\"") + '"';

    assertThat(normalize(preemption)).isEqualTo(bare);
    assertThat(normalize(quoted)).isEqualTo(bare);
    assertThat(normalize("{\"Type\":\"Notification\",\"Message\":" + quoted + "}")).isEqualTo(bare);
    String loss = event("com.oraclecloud.computeapi.terminateinstance.end", "{}");
    assertThat(normalize("[" + loss + "," + preemption + "," + preemption + "]"))
        .isEqualTo(new Several(List.of(normalize(loss), bare, bare)));
  }

  private String regionOf(String json) {
    return ((Notices) normalize(json)).notices().getFirst().region();
  }

  @Test
  void a_termination_is_a_loss() {
    Normalized result =
        normalize(event("com.oraclecloud.computeapi.terminateinstance.begin", "{}"));

    assertThat(((Notices) result).notices().getFirst().kind()).isEqualTo(Kind.LOSS);
  }

  @Test
  void KAR_19_a_failed_launch_goes_to_the_classifier_with_its_words_and_status() {
    Normalized result =
        normalize(
            event(
                "com.oraclecloud.computeapi.launchinstance.end",
                "{\"shape\":\"BM.GPU.H100.8\",\"status\":500,\"errorCode\":\"InternalError\","
                    + "\"errorMessage\":\"Out of host capacity.\"}"));

    assertThat(result).isInstanceOf(Failures.class);
    Failure failure = classified.getFirst();
    assertThat(failure.message()).isEqualTo("Out of host capacity.");
    assertThat(failure.httpStatus()).isEqualTo(500);
    assertThat(failure.key().instanceType()).isEqualTo("BM.GPU.H100.8");
    assertThat(failure.key().zone()).isEqualTo("EU-FRANKFURT-1-AD-1");
  }

  @Test
  void a_launch_that_went_well_says_nothing() {
    assertThat(normalize(event("com.oraclecloud.computeapi.launchinstance.end", "{}")))
        .isInstanceOf(Irrelevant.class);
  }

  @Test
  void others_events_and_broken_ones_are_told_apart() {
    assertThat(normalize("{\"source\":\"aws.ec2\",\"detail-type\":\"x\"}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize("{\"eventType\":\"com.oraclecloud.computeapi.instancepreemptionaction\"}"))
        .isEqualTo(new Malformed("field 'data.resourceId' is missing"));
    assertThat(
            normalize(
                event("com.oraclecloud.computeapi.instancepreemptionaction", "{}")
                    .replace(TIME.toString(), "yesterday")))
        .isEqualTo(new Malformed("field 'eventTime' is no time: yesterday"));
  }

  private Normalized normalize(String json) {
    return events.normalize(
        json,
        (provider, id) ->
            id.equals("ocid1.compartment.oc1..bbbb") ? Optional.of("gpu") : Optional.empty(),
        TIME);
  }

  private static String event(String type, String details) {
    return ("{\"eventType\":\"%s\",\"cloudEventsVersion\":\"0.1\",\"source\":\"ComputeApi\","
            + "\"eventTime\":\"%s\",\"data\":{\"compartmentId\":\"ocid1.compartment.oc1..bbbb\","
            + "\"resourceId\":\"ocid1.instance.oc1.iad.cccc\",\"availabilityDomain\":"
            + "\"AbCd:EU-FRANKFURT-1-AD-1\",\"additionalDetails\":%s},\"eventID\":\"e-1\"}")
        .formatted(type, TIME, details);
  }
}
