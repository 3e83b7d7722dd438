package io.spillway.capacity.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;

/**
 * Takes the wrappers off an event: a JSON string around the object, an SNS or SQS message, Pub/Sub
 * by push, by pull or through Eventarc. Carriers put the same event into different clothes;
 * normalisers read it bare. {@link EventBatch} takes batches apart.
 */
public final class EventEnvelope {
  /** More wrappers than any carrier puts around an event; hostile input ends here. */
  private static final int MAX_WRAPPERS = 6;

  private static final int MAX_DEPTH = 64;

  /** Where carriers put the event as a JSON text: SQS, SNS, Kafka Connect's converters. */
  private static final List<String> TEXT_FIELDS = List.of("Body", "body", "Message", "payload");

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .build();

  private EventEnvelope() {}

  /**
   * The innermost event object.
   *
   * @throws UnreadableException if there is no JSON object inside, with the place of the error
   */
  public static JsonNode unwrap(String text) throws UnreadableException {
    return requireObject(bare(text));
  }

  /** What is inside all wrappers: an event, or a batch of them. */
  static JsonNode bare(String text) throws UnreadableException {
    return bare(parse(text));
  }

  static JsonNode bare(JsonNode wrapped) throws UnreadableException {
    JsonNode node = wrapped;
    for (int i = 0; i < MAX_WRAPPERS; i++) {
      JsonNode inner = inner(node);
      if (inner == null) {
        return node;
      }
      node = inner;
    }
    throw new UnreadableException("more than " + MAX_WRAPPERS + " wrappers around the event");
  }

  private static JsonNode inner(JsonNode node) throws UnreadableException {
    if (node.isTextual()) {
      return parse(node.textValue());
    }
    JsonNode published = node.path("data").has("message") ? node.path("data") : node;
    if (published.path("message").path("data").isTextual()
        && (published.has("subscription") || published.has("ackId"))) {
      return parse(base64(published.path("message").path("data").textValue()));
    }
    if (node.path("Sns").isObject() && !isEvent(node)) {
      return node.path("Sns"); // SNS as a Lambda gets it
    }
    for (String field : TEXT_FIELDS) {
      JsonNode value = node.path(field);
      if (value.isTextual() && looksLikeJson(value.textValue()) && !isEvent(node)) {
        return parse(value.textValue());
      }
    }
    return null;
  }

  /** An object that names its own type is an event, whatever fields it has besides. */
  private static boolean isEvent(JsonNode node) {
    return node.has("detail-type")
        || node.has("detail_type")
        || node.has("eventType")
        || node.has("specversion");
  }

  private static boolean looksLikeJson(String text) {
    String trimmed = text.stripLeading();
    return trimmed.startsWith("{") || trimmed.startsWith("[") || trimmed.startsWith("\"");
  }

  private static String base64(String data) throws UnreadableException {
    try {
      return new String(
          java.util.Base64.getDecoder().decode(data), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new UnreadableException("message.data is not base 64");
    }
  }

  private static JsonNode parse(String text) throws UnreadableException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UnreadableException(
          "not JSON at line "
              + (e.getLocation() == null ? 0 : e.getLocation().getLineNr())
              + ", column "
              + (e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
    }
  }

  private static JsonNode requireObject(JsonNode node) throws UnreadableException {
    if (node == null || !node.isObject()) {
      throw new UnreadableException("an event is a JSON object");
    }
    return node;
  }

  /** The text holds no event; the message says where reading ended. */
  public static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
      super(message);
    }
  }
}
