package io.spillway.capacity.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code deploy/kafka/azure} ships is what this module and the server understand. */
class KafkaFilesTest {
  private static final Path FILES = Path.of("../../deploy/kafka");

  @Test
  void the_hubs_are_renamed_to_topics_that_exist() throws IOException {
    JsonNode config =
        new ObjectMapper()
            .readTree(Files.readString(FILES.resolve("azure/connector.json")))
            .path("config");
    List<String> topics =
        Files.readAllLines(FILES.resolve("topics.txt")).stream()
            .map(line -> line.split(" ", 2)[0])
            .toList();
    for (String hub : config.path("topics").asText().split(",", -1)) {
      String topic =
          hub.replaceAll(
              config.path("transforms.route.regex").asText(),
              config.path("transforms.route.replacement").asText());
      assertThat(topics).contains(topic);
    }
  }

  @Test
  void what_a_node_forwards_names_the_machine() throws Exception {
    String compute =
        "{\"name\":\"aks-gpu_3\",\"location\":\"eastus\",\"resourceId\":\"/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu/virtualMachines/3\"}";
    String document =
        "{\"DocumentIncarnation\":1,\"Events\":[{\"EventId\":\"E\",\"EventType\":\"Preempt\",\"Resources\":[\"aks-gpu_3\"],\"EventStatus\":\"Scheduled\",\"NotBefore\":\"Mon, 30 Nov 2026 08:16:12 GMT\"}]}";

    Normalized read =
        new AzureEvents(new AzureFailureClassifier(), ScheduledEvents.USUAL)
            .normalize(
                forwarded(compute, document), (provider, id) -> Optional.empty(), Instant.EPOCH);

    assertThat(read).isInstanceOf(Notices.class);
    assertThat(((Notices) read).notices().getFirst().instances())
        .containsExactly(
            "azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu/virtualMachines/3");
  }

  /** By the very line of the manifest's script that puts the two together. */
  private static String forwarded(String compute, String document) throws Exception {
    Matcher line =
        Pattern.compile("(printf '\\{\"compute\".*?) \\|")
            .matcher(Files.readString(FILES.resolve("azure/scheduled-events.yaml")));
    assertThat(line.find()).isTrue();
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", line.group(1));
    shell.environment().put("compute", compute);
    shell.environment().put("document", document);
    Process process = shell.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return out;
  }
}
