package io.spillway.capacity.gcp;

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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code deploy/kafka/gcp} ships is what this module and the server understand. */
class KafkaFilesTest {
  private static final Path FILES = Path.of("../../deploy/kafka");
  private static final Pattern METHOD = Pattern.compile("\"([a-z0-9]*\\.?compute\\.[A-Za-z.]+)\"");

  @Test
  void every_entry_that_the_sinks_let_through_is_understood() throws IOException {
    GcpEvents events = new GcpEvents(new GcpFailureClassifier());
    for (String lane : List.of("notices", "events")) {
      String filter = Files.readString(FILES.resolve("gcp/sink-" + lane + ".filter"));
      List<String> methods = METHOD.matcher(filter).results().map(found -> found.group(1)).toList();
      assertThat(methods).isNotEmpty();
      for (String method : methods) {
        String entry =
            "{\"logName\":\"x\",\"timestamp\":\"2026-11-30T08:15:42Z\",\"protoPayload\":{\"methodName\":\"%s\",\"resourceName\":\"projects/p/zones/a-b-c/instances/i\"}}"
                .formatted(method);
        assertThat(events.normalize(entry, (provider, id) -> Optional.empty(), Instant.EPOCH))
            .as(method)
            .isNotInstanceOf(Malformed.class);
      }
    }
  }

  @Test
  void each_subscription_goes_to_a_topic_that_exists() throws IOException {
    List<String> topics =
        Files.readAllLines(FILES.resolve("topics.txt")).stream()
            .map(line -> line.split(" ", 2)[0])
            .toList();
    for (String lane : List.of("notices", "events")) {
      JsonNode config =
          new ObjectMapper()
              .readTree(Files.readString(FILES.resolve("gcp/connector-" + lane + ".json")))
              .path("config");
      assertThat(topics).contains(config.path("kafka.topic").asText());
      assertThat(config.path("cps.subscription").asText()).endsWith(lane);
      assertThat(config.path("kafka.record.headers").asText()).isEqualTo("true");
    }
  }
}
