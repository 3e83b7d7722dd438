package io.spillway.capacity.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GcpEventsTest {
  private static final Instant TIME = Instant.parse("2026-11-30T08:15:42Z");

  private final GcpEvents events = new GcpEvents(new GcpFailureClassifier());

  @ParameterizedTest
  @CsvSource({
    "compute.instances.preempted,LOSS",
    "compute.instances.hostError,LOSS",
    "compute.instances.terminateOnHostMaintenance,LOSS",
    "v1.compute.instances.delete,LOSS",
    "beta.compute.instances.stop,LOSS",
    "compute.instances.automaticRestart,RUNNING"
  })
  void an_entry_about_a_machine_names_it_as_its_node_does(String method, Kind kind) {
    CapacityNotice notice = ((Notices) normalize(entry(method, "trainer-0"))).notices().getFirst();

    assertThat(notice.kind()).isEqualTo(kind);
    assertThat(notice.instances()).containsExactly("gce://p-1/us-central1-a/trainer-0");
    assertThat(notice.account()).isEqualTo("prod");
    assertThat(notice.region()).isEqualTo("us-central1");
    assertThat(notice.noticedAt()).isEqualTo(TIME);
    assertThat(notice.noticeId()).isEqualTo("gcp:id-trainer-0");
  }

  @Test
  void a_sink_may_push_or_be_pulled_or_pass_by_eventarc_and_says_the_same() {
    String bare = entry("compute.instances.preempted", "trainer-0");
    String data = Base64.getEncoder().encodeToString(bare.getBytes(StandardCharsets.UTF_8));
    Normalized expected = normalize(bare);

    for (String wrapped :
        List.of(
            "{\"message\":{\"data\":\"" + data + "\",\"messageId\":\"1\"},\"subscription\":\"s\"}",
            "{\"receivedMessages\":[{\"ackId\":\"a\",\"message\":{\"data\":\"" + data + "\"}}]}",
            "{\"specversion\":\"1.0\",\"type\":\"google.cloud.pubsub.topic.v1.messagePublished\","
                + "\"data\":{\"subscription\":\"s\",\"message\":{\"data\":\""
                + data
                + "\"}}}",
            "{\"specversion\":\"1.0\",\"type\":\"google.cloud.audit.log.v1.written\",\"data\":"
                + bare
                + "}")) {
      assertThat(normalize(wrapped)).as(wrapped).isEqualTo(expected);
    }
  }

  @Test
  void KAR_16_a_shuffled_batch_with_repetitions_and_strangers_keeps_each_word() {
    long seed = new Random().nextLong();
    List<String> batch = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      batch.add(entry("compute.instances.preempted", "trainer-" + i % 20));
    }
    batch.add(entry("compute.flux.drained", "trainer-0"));
    Collections.shuffle(batch, new Random(seed));

    Several read = (Several) normalize("[" + String.join(",", batch) + "]");

    assertThat(
            read.parts().stream()
                .filter(Notices.class::isInstance)
                .map(part -> ((Notices) part).notices().getFirst().noticeId())
                .distinct())
        .as("seed %d", seed)
        .hasSize(20);
    assertThat(read.parts())
        .contains(new Malformed("unknown method of a log entry: compute.flux.drained"));
  }

  @Test
  void SKY_07_a_refused_creation_blocks_what_was_asked_for_from_its_own_time() {
    String json =
        """
        {"logName":"projects/p-1/logs/cloudaudit.googleapis.com%2Factivity",
         "insertId":"i","timestamp":"2026-11-30T08:15:42Z",
         "resource":{"type":"gce_instance","labels":{"project_id":"p-1","zone":"us-central1-a"}},
         "protoPayload":{"methodName":"v1.compute.instances.insert",
          "resourceName":"projects/p-1/zones/us-central1-a/instances/trainer-0",
          "status":{"code":8,"message":"ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS"},
          "request":{"machineType":"projects/p-1/zones/us-central1-a/machineTypes/a3-highgpu-8g",
           "scheduling":{"provisioningModel":"SPOT"}}}}
        """;

    CapacityFailure failure = ((Failures) normalize(json)).failures().getFirst();

    assertThat(failure.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(failure.scope().text())
        .isEqualTo("gcp/prod/us-central1/us-central1-a/a3-highgpu-8g/spot");
    assertThat(failure.block()).isEqualTo(Duration.ofMinutes(5));
    assertThat(failure.at()).isEqualTo(TIME);
  }

  @Test
  void a_refused_creation_from_a_reservation_is_that_reservations() {
    String json =
        """
        {"logName":"x","timestamp":"2026-11-30T08:15:42Z",
         "resource":{"labels":{"project_id":"p-1"}},
         "protoPayload":{"methodName":"beta.compute.instances.bulkInsert",
          "resourceName":"projects/p-1/zones/us-central1-a/instances",
          "status":{"code":9,"message":"made-up"},
          "response":{"error":{"errors":[{"code":"RESERVATION_CAPACITY_EXCEEDED"}]}},
          "request":{"instanceProperties":{"machineType":"a3-highgpu-8g",
           "reservationAffinity":{"consumeReservationType":"SPECIFIC_RESERVATION",
            "values":["projects/p-2/reservations/r-1"]}}}}}
        """;

    CapacityFailure failure = ((Failures) normalize(json)).failures().getFirst();

    assertThat(failure.scope().kind()).isEqualTo("reservation");
    assertThat(failure.scope().reservation()).contains("r-1");
  }

  @Test
  void others_events_silent_ones_and_broken_ones_are_told_apart() {
    assertThat(normalize("{\"source\":\"aws.ec2\",\"detail-type\":\"x\"}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize(entry("v1.compute.instances.setLabels", "trainer-0")))
        .isInstanceOf(Irrelevant.class);
    assertThat(normalize(entry("compute.instances.migrateOnHostMaintenance", "trainer-0")))
        .isInstanceOf(Irrelevant.class);
    assertThat(normalize("{\"logName\":\"x\",\"textPayload\":\"hello\"}"))
        .isEqualTo(new Malformed("a log entry without 'protoPayload.methodName'"));
    assertThat(normalize(entry("compute.instances.preempted", "a").replace(TIME.toString(), "now")))
        .isEqualTo(new Malformed("field 'timestamp' is no time: now"));
    assertThat(
            normalize(
                entry("compute.instances.preempted", "a").replace("/instances/", "/somethings/")))
        .isEqualTo(new Malformed("field 'protoPayload.resourceName' names no instance"));
  }

  private Normalized normalize(String json) {
    return events.normalize(
        json, (provider, id) -> id.equals("p-1") ? Optional.of("prod") : Optional.empty(), TIME);
  }

  private static String entry(String method, String instance) {
    return ("{\"logName\":\"projects/p-1/logs/cloudaudit.googleapis.com%%2Fsystem_event\","
            + "\"timestamp\":\"%s\",\"insertId\":\"id-%s\",\"severity\":\"INFO\",\"labels\":{},"
            + "\"resource\":{\"type\":\"gce_instance\",\"labels\":{\"instance_id\":\"123\",\"zone\":"
            + "\"us-central1-a\",\"project_id\":\"p-1\"}},\"protoPayload\":{\"methodName\":\"%s\","
            + "\"resourceName\":\"projects/424242/zones/us-central1-a/instances/%s\"}}")
        .formatted(TIME, instance, method, instance);
  }
}
