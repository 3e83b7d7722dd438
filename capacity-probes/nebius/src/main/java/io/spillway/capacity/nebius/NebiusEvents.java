package io.spillway.capacity.nebius;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventEnvelope;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is told of Nebius's machines. Nebius pushes nothing; a preemptible machine is sent SIGTERM
 * 60 seconds before it is stopped (Nebius documentation), which a stop hook on it forwards as
 * {@code {"source": "nebius", "type": "preemption", "instance": …, "account": …, "region": …}}.
 * Whoever polls instances may forward them as the interface answers, in {@code object}: one that is
 * stopped or in error is a loss.
 */
final class NebiusEvents implements EventNormalizer {
  private static final String INSTANCE_ID = "computeinstance-";

  private final Duration spotNotice;

  NebiusEvents(Facts facts) {
    this.spotNotice = facts.notice(Facts.SPOT_NOTICE);
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    try {
      JsonNode event = EventEnvelope.unwrap(json);
      return isOurs(event) ? read(new Told(event, accounts, receivedAt)) : new NotMine();
    } catch (EventEnvelope.UnreadableException | MalformedException e) {
      return new Malformed(e.getMessage());
    } catch (DateTimeException e) {
      return new Malformed("field 'time' is no time");
    }
  }

  private static boolean isOurs(JsonNode event) {
    return event.path("source").asText().equals("nebius")
        || event.path("object").path("metadata").path("id").asText().startsWith(INSTANCE_ID)
        || event.path("metadata").path("id").asText().startsWith(INSTANCE_ID);
  }

  private Normalized read(Told told) {
    if (told.event().path("object").isObject()) {
      return instance(told, JsonView.of(told.event()).object("object"));
    }
    if (told.event().path("metadata").isObject()) {
      return instance(told, JsonView.of(told.event()));
    }
    JsonView event = JsonView.of(told.event());
    String type = event.text("type");
    if (!type.equals("preemption")) {
      return new Malformed("type '" + type + "' is not known");
    }
    Instant time = told.time(Optional.empty());
    return notice(told, Kind.INTERRUPTION, event.text("instance"), time, time.plus(spotNotice));
  }

  private static Normalized instance(Told told, JsonView instance) {
    JsonView metadata = instance.object("metadata");
    String id = metadata.text("id");
    String state = instance.object("status").text("state");
    Instant time = told.time(metadata.optionalText("updated_at"));
    return switch (state.toUpperCase(Locale.ROOT)) {
      case "STOPPING", "STOPPED", "DELETING", "ERROR" -> notice(told, Kind.LOSS, id, time, time);
      case "CREATING", "UPDATING", "STARTING", "RUNNING" -> new Irrelevant("instance " + state);
      default -> new Malformed("state '" + state + "' is not known");
    };
  }

  /** A machine may be stopped again after a new start, so the notice is named by its time too. */
  private static Normalized notice(
      Told told, Kind kind, String instance, Instant time, Instant deadline) {
    return new Notices(
        List.of(
            new CapacityNotice(
                "nebius:" + instance + ':' + kind + ':' + time.getEpochSecond(),
                "nebius",
                told.account(),
                JsonView.of(told.event()).text("region"),
                kind,
                List.of(instance),
                Optional.empty(),
                time,
                Optional.of(deadline))));
  }

  /** An event and how it came. */
  private record Told(JsonNode event, AccountNames accounts, Instant receivedAt) {
    String account() {
      String id = JsonView.of(event).text("account");
      return accounts.nameOf("nebius", id).orElse(id);
    }

    /** When it was told; a notice is never from the future. */
    Instant time(Optional<String> otherwise) {
      Instant told =
          JsonView.of(event)
              .optionalText("time")
              .or(() -> otherwise)
              .map(text -> OffsetDateTime.parse(text).toInstant())
              .orElse(receivedAt);
      return told.isAfter(receivedAt) ? receivedAt : told;
    }
  }
}
