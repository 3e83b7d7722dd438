package io.spillway.capacity.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.spillway.capacity.http.EventEnvelope.UnreadableException;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Several;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * Carriers hand over several events at a time: an array (Event Grid), {@code records} (Azure's
 * diagnostics over Event Hubs), {@code Records} and {@code Messages} (SQS), {@code
 * receivedMessages} (Pub/Sub's pull). Each may be wrapped once more. Takes them apart, so that a
 * normaliser reads one bare event.
 */
public final class EventBatch {
  /** More than any carrier delivers at once; what is longer is hostile. */
  private static final int MAX_EVENTS = 10_000;

  private static final List<String> BATCH_FIELDS =
      List.of("records", "Records", "Messages", "receivedMessages");

  private EventBatch() {}

  /**
   * Reads each event by itself. One event stays itself; a batch in which nothing is this provider's
   * is not this provider's.
   *
   * @param one reads a bare event; never throws
   */
  public static Normalized normalize(String text, Function<JsonNode, Normalized> one) {
    List<Normalized> parts = new ArrayList<>();
    try {
      Deque<JsonNode> left = new ArrayDeque<>();
      left.add(EventEnvelope.bare(text));
      while (!left.isEmpty()) {
        JsonNode node = left.removeFirst();
        List<JsonNode> inside = inside(node);
        if (inside == null) {
          parts.addAll(read(node, one));
        } else {
          for (JsonNode event : inside.reversed()) {
            left.addFirst(bareOrAsItIs(event));
          }
        }
        if (left.size() + parts.size() > MAX_EVENTS) {
          return new Malformed("more than " + MAX_EVENTS + " events in a batch");
        }
      }
    } catch (UnreadableException e) {
      return new Malformed(e.getMessage());
    }
    if (parts.isEmpty()) {
      return new NotMine();
    }
    if (parts.stream().allMatch(NotMine.class::isInstance)) {
      return parts.getFirst();
    }
    return parts.size() == 1 ? parts.getFirst() : new Several(parts);
  }

  /** What cannot be unwrapped is no event, and is told so in its turn: it spoils no other. */
  private static JsonNode bareOrAsItIs(JsonNode event) {
    try {
      return EventEnvelope.bare(event);
    } catch (UnreadableException e) {
      return MissingNode.getInstance();
    }
  }

  /** An event may itself tell several things. */
  private static List<Normalized> read(JsonNode node, Function<JsonNode, Normalized> one) {
    Normalized read =
        node.isObject() ? one.apply(node) : new Malformed("an event is a JSON object");
    return read instanceof Several several ? several.parts() : List.of(read);
  }

  private static List<JsonNode> inside(JsonNode node) {
    if (node.isArray()) {
      return list(node);
    }
    for (String field : BATCH_FIELDS) {
      if (node.path(field).isArray() && node.path(field).path(0).isContainerNode()) {
        return list(node.path(field));
      }
    }
    return null;
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
