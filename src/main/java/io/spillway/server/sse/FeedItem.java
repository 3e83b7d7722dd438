package io.spillway.server.sse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One journalled event.
 *
 * @param at the time of the cycle that committed it
 * @param type its name, for example {@code AttemptIntended}
 * @param job the job that it is about, if any
 * @param data its other members
 */
public record FeedItem(
    FeedPosition position, Instant at, String type, Optional<String> job, ObjectNode data) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TYPE = "@";
  private static final int JOB_ID_LENGTH = 26;

  /**
   * The events of one journal row, in order.
   *
   * @param eventsJson as the store holds them
   */
  public static List<FeedItem> ofRow(long seq, Instant at, String eventsJson) {
    List<FeedItem> items = new ArrayList<>();
    for (JsonNode event : tree(eventsJson)) {
      ObjectNode data = (ObjectNode) event;
      String type = data.remove(TYPE).asText();
      items.add(new FeedItem(new FeedPosition(seq, items.size()), at, type, jobOf(data), data));
    }
    return items;
  }

  /** A member's text, if it is there. */
  public Optional<String> text(String member) {
    JsonNode value = data.get(member);
    return value == null || value.isNull() || value.isContainerNode()
        ? Optional.empty()
        : Optional.of(value.asText());
  }

  private static Optional<String> jobOf(ObjectNode data) {
    if (data.hasNonNull("job")) {
      return Optional.of(data.get("job").asText());
    }
    String attempt = data.path("attempt").asText("");
    return attempt.length() > JOB_ID_LENGTH
        ? Optional.of(attempt.substring(0, JOB_ID_LENGTH))
        : Optional.empty();
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the journal holds JSON", e);
    }
  }
}
