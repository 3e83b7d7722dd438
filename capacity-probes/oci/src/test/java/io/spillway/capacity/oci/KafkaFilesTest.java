package io.spillway.capacity.oci;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code deploy/kafka/oci} ships is what this module and the server understand. */
class KafkaFilesTest {
  private static final Path FILES = Path.of("../../deploy/kafka");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void every_event_that_the_rules_let_through_is_understood() throws IOException {
    OciEvents events = new OciEvents(new OciFailureClassifier(), new OciProvider().facts());
    for (String lane : List.of("notices", "events")) {
      JsonNode rule = read("oci/rule-" + lane + ".json");
      assertThat(rule.path("eventType")).isNotEmpty();
      for (JsonNode type : rule.path("eventType")) {
        String event =
            "{\"eventType\":\"%s\",\"eventTime\":\"2026-11-30T08:15:42Z\",\"data\":{\"resourceId\":\"x\"}}"
                .formatted(type.asText());
        assertThat(events.normalize(event, (provider, id) -> Optional.empty(), Instant.EPOCH))
            .as(type.asText())
            .isNotInstanceOf(Malformed.class);
      }
    }
  }

  @Test
  void the_streams_are_renamed_to_topics_that_exist() throws IOException {
    JsonNode config = read("oci/connector.json").path("config");
    List<String> topics =
        Files.readAllLines(FILES.resolve("topics.txt")).stream()
            .map(line -> line.split(" ", 2)[0])
            .toList();
    for (String stream : config.path("topics").asText().split(",", -1)) {
      String topic =
          stream.replaceAll(
              config.path("transforms.route.regex").asText(),
              config.path("transforms.route.replacement").asText());
      assertThat(topics).contains(topic);
    }
  }

  private static JsonNode read(String file) throws IOException {
    return JSON.readTree(Files.readString(FILES.resolve(file)));
  }
}
