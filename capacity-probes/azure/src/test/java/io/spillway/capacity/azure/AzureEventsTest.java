package io.spillway.capacity.azure;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureEventsTest {
  private static final Instant NOW = Instant.parse("2026-11-30T08:15:42Z");
  private static final String SUBSCRIPTION = "0a000000-0000-0000-0000-000000000001";
  private static final String VM =
      "/subscriptions/"
          + SUBSCRIPTION
          + "/resourceGroups/MC_gpu/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu/virtualMachines/3";
  private static final String NODE =
      "azure:///subscriptions/"
          + SUBSCRIPTION
          + "/resourceGroups/mc_gpu/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu/virtualMachines/3";

  private final AzureEvents events =
      new AzureEvents(new AzureFailureClassifier(), ScheduledEvents.USUAL);

  @Test
  void a_preemption_that_the_machine_was_told_of_ends_when_azure_says() {
    CapacityNotice notice = only(scheduled("Preempt", "Scheduled", "aks-gpu_3"));

    assertThat(notice.kind()).isEqualTo(Kind.INTERRUPTION);
    assertThat(notice.instances()).contains(NODE);
    assertThat(notice.account()).isEqualTo("prod");
    assertThat(notice.region()).isEqualTo("eastus");
    assertThat(notice.deadline()).contains(Instant.parse("2026-11-30T08:16:12Z"));
  }

  @Test
  void a_document_that_is_told_again_is_the_same_notice_until_it_has_begun() {
    String first = scheduled("Preempt", "Scheduled", "aks-gpu_3");
    String begun =
        scheduled("Preempt", "Started", "aks-gpu_3").replace("Mon, 30 Nov 2026 08:16:12 GMT", "");

    assertThat(only(first).noticeId())
        .isEqualTo(
            only(first.replace("\"DocumentIncarnation\":4", "\"DocumentIncarnation\":5"))
                .noticeId());
    assertThat(only(begun).noticeId()).isNotEqualTo(only(first).noticeId());
    assertThat(only(begun).deadline()).contains(NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "Reboot,MAINTENANCE",
    "Redeploy,MAINTENANCE",
    "Freeze,MAINTENANCE",
    "Terminate,INTERRUPTION"
  })
  void other_scheduled_events_are_told_with_their_time(String type, Kind kind) {
    assertThat(only(scheduled(type, "Scheduled", "aks-gpu_3")).kind()).isEqualTo(kind);
  }

  @Test
  void an_event_without_its_time_begins_after_the_shortest_notice_which_can_be_told() {
    String untimed =
        scheduled("Preempt", "Scheduled", "aks-gpu_3").replace("Mon, 30 Nov 2026 08:16:12 GMT", "");

    assertThat(only(untimed).deadline()).contains(NOW.plusSeconds(30));
    assertThat(only(untimed.replace("Preempt", "Redeploy")).deadline())
        .contains(NOW.plusSeconds(600));
    Normalized told =
        new AzureProvider()
            .with(Map.of("spot-notice", Duration.ofSeconds(45)))
            .normalizer()
            .normalize(untimed, (provider, id) -> Optional.empty(), NOW);
    assertThat(((Notices) told).notices().getFirst().deadline()).contains(NOW.plusSeconds(45));
  }

  @Test
  void events_of_neighbours_and_documents_without_a_sender_do_no_harm() {
    assertThat(normalize(scheduled("Preempt", "Scheduled", "aks-gpu_4")))
        .isInstanceOf(Irrelevant.class);
    assertThat(normalize("{\"DocumentIncarnation\":1,\"Events\":[]}"))
        .isInstanceOf(Malformed.class);
    assertThat(normalize(scheduled("Evaporate", "Scheduled", "aks-gpu_3")))
        .isEqualTo(new Malformed("unknown type of a scheduled event: Evaporate"));
  }

  @Test
  void event_grid_tells_losses_in_either_schema_and_in_batches() {
    String own =
        ("{\"id\":\"g-1\",\"subject\":\"%s\",\"eventType\":\"Microsoft.Resources.ResourceDeleteSuccess\","
                + "\"eventTime\":\"2026-11-30T08:15:42.12Z\",\"data\":{\"resourceUri\":\"%s\"},"
                + "\"dataVersion\":\"2\",\"metadataVersion\":\"1\",\"topic\":\"t\"}")
            .formatted(VM, VM);
    String cloudEvent =
        ("{\"id\":\"g-1\",\"source\":\"/subscriptions/x\",\"specversion\":\"1.0\",\"subject\":\"%s\","
                + "\"type\":\"Microsoft.Resources.ResourceDeleteSuccess\","
                + "\"time\":\"2026-11-30T08:15:42.12Z\",\"data\":{\"resourceUri\":\"%s\"}}")
            .formatted(VM, VM);

    CapacityNotice notice = only(own);
    assertThat(notice.kind()).isEqualTo(Kind.LOSS);
    assertThat(notice.instances()).contains(NODE);
    assertThat(notice.region()).isEmpty();
    assertThat(normalize(cloudEvent)).isEqualTo(normalize(own));
    assertThat(normalize("[" + own + "," + cloudEvent + "]"))
        .isEqualTo(new Several(List.of(normalize(own), normalize(own))));
    assertThat(normalize(own.replace("ResourceDeleteSuccess", "ResourceTurnedBlue")))
        .isEqualTo(
            new Malformed(
                "unknown type of an Event Grid event: microsoft.resources.resourceturnedblue"));
    assertThat(normalize(own.replace("virtualMachines/3", "disks/3")))
        .isInstanceOf(Irrelevant.class);
  }

  @ParameterizedTest
  @CsvSource({
    "AvailabilityStatusChanged,availabilityState,Unavailable,LOSS",
    "AvailabilityStatusChanged,availabilityState,Available,RUNNING",
    "ResourceAnnotated,annotationName,VirtualMachinePreempted,LOSS",
    "ResourceAnnotated,annotationName,VirtualMachinePossiblyDegradedDueToHardwareFailure,RISK"
  })
  void health_notifications_are_read(String type, String field, String value, Kind kind) {
    assertThat(
            only(("{\"id\":\"h-1\",\"subject\":\"x\",\"type\":"
                        + "\"Microsoft.ResourceNotifications.HealthResources.%s\","
                        + "\"specversion\":\"1.0\",\"time\":\"2026-11-30T08:15:42Z\",\"data\":"
                        + "{\"resourceInfo\":{\"properties\":{\"targetResourceId\":\"%s\",\"%s\":\"%s\"}}}}")
                    .formatted(type, VM, field, value))
                .kind())
        .isEqualTo(kind);
  }

  @Test
  void the_activity_log_shouts_and_means_the_same_machine() {
    String record =
        ("{\"records\":[{\"time\":\"2026-11-30T08:15:42Z\",\"resourceId\":\"%s\",\"operationName\":"
                + "\"MICROSOFT.COMPUTE/VIRTUALMACHINESCALESETS/VIRTUALMACHINES/DELETE\","
                + "\"category\":\"Administrative\",\"resultType\":\"Success\",\"correlationId\":\"c-1\"}]}")
            .formatted(VM.toUpperCase(java.util.Locale.ROOT));

    CapacityNotice notice = only(record);

    assertThat(notice.kind()).isEqualTo(Kind.LOSS);
    assertThat(notice.instances()).contains(NODE);
  }

  @Test
  void a_failed_creation_in_the_activity_log_is_a_refusal_of_what_was_asked_for() {
    String record =
        """
        {"time":"2026-11-30T08:15:42Z","resourceId":"%s","location":"eastus",
         "operationName":"MICROSOFT.COMPUTE/VIRTUALMACHINES/WRITE","category":"Administrative",
         "resultType":"Failure","correlationId":"c-2",
         "properties":{"statusCode":"Conflict",
          "statusMessage":"{\\"status\\":\\"Failed\\",\\"error\\":{\\"code\\":\\"ResourceOperationFailure\\",\\"details\\":[{\\"code\\":\\"ZonalAllocationFailed\\",\\"message\\":\\"none\\"}]}}",
          "requestbody":"{\\"zones\\":[\\"2\\"],\\"properties\\":{\\"priority\\":\\"Spot\\",\\"hardwareProfile\\":{\\"vmSize\\":\\"Standard_ND96isr_H100_v5\\"}}}"}}
        """
            .formatted(VM);

    CapacityFailure failure = ((Failures) normalize(record)).failures().getFirst();

    assertThat(failure.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(failure.scope().text())
        .isEqualTo("azure/prod/eastus/eastus-2/Standard_ND96isr_H100_v5/open");
    assertThat(failure.at()).isEqualTo(NOW);
  }

  @Test
  void others_events_are_others() {
    assertThat(normalize("{\"source\":\"aws.ec2\",\"detail-type\":\"x\"}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize("{\"eventType\":\"com.oraclecloud.computeapi.x\"}"))
        .isInstanceOf(NotMine.class);
  }

  private CapacityNotice only(String json) {
    return ((Notices) normalize(json)).notices().getFirst();
  }

  private Normalized normalize(String json) {
    return events.normalize(
        json,
        (provider, id) -> id.equals(SUBSCRIPTION) ? Optional.of("prod") : Optional.empty(),
        NOW);
  }

  private static String scheduled(String type, String status, String machine) {
    return ("{\"DocumentIncarnation\":4,\"Events\":[{\"EventId\":\"A1B2\",\"EventType\":\"%s\","
            + "\"ResourceType\":\"VirtualMachine\",\"Resources\":[\"%s\"],\"EventStatus\":\"%s\","
            + "\"NotBefore\":\"Mon, 30 Nov 2026 08:16:12 GMT\",\"Description\":\"\","
            + "\"EventSource\":\"Platform\",\"DurationInSeconds\":-1}],"
            + "\"compute\":{\"name\":\"aks-gpu_3\",\"location\":\"eastus\",\"resourceId\":\"%s\"}}")
        .formatted(type, machine, status, VM);
  }
}
