package io.spillway.capacity.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The shipped EventBridge rules and connectors carry what the normaliser reads, where it belongs.
 */
class EventRulesTest {
  private static final Path KAFKA =
      Path.of(System.getProperty("spillway.root")).resolve("deploy/kafka");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EventNormalizer events = new AwsProvider().normalizer();

  @Test
  void every_type_that_a_rule_carries_is_understood_and_notices_have_their_own_queue()
      throws Exception {
    Set<String> carried = new TreeSet<>();
    for (JsonNode resource : template().path("Resources")) {
      if (resource.path("Type").asText().equals("AWS::Events::Rule")) {
        JsonNode rule = resource.path("Properties");
        String queue = rule.path("Targets").path(0).path("Arn").path("Fn::GetAtt").path(0).asText();
        for (JsonNode type : rule.path("EventPattern").path("detail-type")) {
          carried.add(type.asText());
          String source = rule.path("EventPattern").path("source").path(0).asText();
          Normalized read = read(source, type.asText());
          assertThat(read).as(type.asText()).isNotInstanceOf(Malformed.class);
          assertThat(queue.equals("NoticesQueue")).as(type.asText()).isEqualTo(isNotice(read));
        }
      }
    }
    assertThat(carried).hasSize(14);
  }

  @Test
  void each_connector_reads_a_queue_of_the_template_and_fills_a_topic_that_is_there()
      throws Exception {
    String topics = Files.readString(KAFKA.resolve("topics.txt"));
    for (String kind : List.of("notices", "events")) {
      JsonNode connector =
          JSON.readTree(KAFKA.resolve("aws/" + kind + "-connector.json").toFile()).path("config");
      assertThat(topics).contains(connector.path("topics").asText() + " |");
      assertThat(connector.path("topics").asText()).endsWith(kind);
      assertThat(connector.path("camel.kamelet.aws-sqs-source.queueNameOrArn").asText())
          .isEqualTo("spillway-" + kind);
    }
    assertThat(template().at("/Resources/NoticesQueue/Properties/QueueName/Fn::Sub").asText())
        .isEqualTo("${Prefix}-notices");
  }

  private static JsonNode template() throws IOException {
    return JSON.readTree(KAFKA.resolve("aws/eventbridge.json").toFile());
  }

  private static boolean isNotice(Normalized read) {
    return read instanceof Notices notices
        && notices.notices().stream()
            .allMatch(notice -> notice.kind() == Kind.INTERRUPTION || notice.kind() == Kind.RISK);
  }

  /** An event with every field that any type wants. */
  private Normalized read(String source, String type) {
    return events.normalize(
        ("{\"id\":\"e\",\"detail-type\":\"%s\",\"source\":\"%s\",\"account\":\"1\",\"region\":"
                + "\"us-east-2\",\"time\":\"2026-11-30T08:15:42Z\",\"detail\":{\"instance-id\":\"i-1\","
                + "\"instance-action\":\"terminate\",\"state\":\"stopping\",\"capacity-reservation-id\":"
                + "\"cr-1\",\"service\":\"EC2\",\"eventTypeCategory\":\"scheduledChange\",\"startTime\":"
                + "\"2026-12-04T01:00:00Z\",\"affectedEntities\":[{\"entityValue\":\"i-1\"}],"
                + "\"eventName\":\"RunInstances\",\"errorCode\":\"InsufficientInstanceCapacity\","
                + "\"requestParameters\":{\"instanceType\":\"p5.48xlarge\"},\"StatusMessage\":"
                + "\"no p5.48xlarge\",\"description\":\"p5.48xlarge\",\"sub-type\":\"x\"}}")
            .formatted(type, source),
        (provider, id) -> Optional.of("prod"),
        Instant.EPOCH);
  }
}
