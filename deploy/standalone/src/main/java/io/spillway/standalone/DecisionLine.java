package io.spillway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A decision in one readable line. */
final class DecisionLine {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  /** Told by the line of the placement or the end that caused them. */
  private static final Set<String> SILENT = Set.of("WOKEN", "CANCELLING");

  private final Ink ink;

  DecisionLine(Ink ink) {
    this.ink = ink;
  }

  /**
   * The line, or empty for a decision that says nothing new to a reader.
   *
   * @param job the job's name with the end of its id
   */
  Optional<String> of(JsonNode decision, String job) {
    String kind = decision.path("decision").asText();
    if (SILENT.contains(kind)) {
      return Optional.empty();
    }
    String words = words(kind, decision, job);
    return Optional.of(ink.dim(clock(decision)) + "  " + words);
  }

  private static String clock(JsonNode decision) {
    String at = decision.path("at").asText();
    return at.isEmpty() ? "        " : CLOCK.format(Instant.parse(at));
  }

  private String words(String kind, JsonNode decision, String job) {
    String reason = reason(decision);
    String where = Place.of(decision.path("offering").asText()).map(this::paint).orElse("");
    return switch (kind) {
      case "PLACED" ->
          decision.hasNonNull("after")
              ? label("holds", ink.cyan("holds"))
                  + job
                  + " → "
                  + where
                  + price(decision)
                  + ink.dim(" for the time after attempt " + number(decision.path("after")))
              : label("placed", ink.green("placed"))
                  + job
                  + " → "
                  + where
                  + price(decision)
                  + rung(decision);
      case "STARTED" -> label("starts", "starts") + job + attempt(decision) + on(where);
      case "DRAINED" ->
          label("drains", ink.red("drains")) + job + attempt(decision) + ink.red(reason);
      case "QUEUED" -> label("queued", "queued") + job + " again" + reason;
      case "HELD" -> label("held", ink.yellow("held")) + job + reason;
      case "ENDED" -> label("ended", "ended") + job + attempt(decision) + reason;
      case "SUCCEEDED" -> label("done", ink.green("done")) + job;
      case "CANCELLED" -> label("cancelled", "cancelled") + job;
      case "FAILED" -> label("failed", ink.red("failed")) + job + ink.red(reason);
      case "PARKED" -> label("parked", ink.yellow("parked")) + subject(decision) + reason;
      case "BLOCKED" ->
          label("blocks", ink.yellow("blocks")) + subject(decision) + on(where) + reason;
      case "UNBLOCKED" -> label("unblocks", "unblocks") + subject(decision) + on(where);
      default -> label(kind.toLowerCase(Locale.ROOT), kind.toLowerCase(Locale.ROOT)) + job + reason;
    };
  }

  /** The word, padded as if it had no colour. */
  private static String label(String plain, String painted) {
    return painted + " ".repeat(Math.max(1, 10 - plain.length()));
  }

  private String paint(Place place) {
    return switch (place.market()) {
      case "spot" -> ink.green(place.text());
      case "reserved" -> ink.cyan(place.text());
      default -> ink.yellow(place.text());
    };
  }

  private static String price(JsonNode decision) {
    String price = decision.path("usdPerGpuHour").asText();
    return price.isEmpty() ? "" : "  $" + price + "/GPU-h";
  }

  private String rung(JsonNode decision) {
    String rung = decision.path("rung").asText();
    return rung.isEmpty() ? "" : ink.dim("  rung " + rung);
  }

  private static String on(String where) {
    return where.isEmpty() ? "" : " on " + where;
  }

  private static String attempt(JsonNode decision) {
    String number = number(decision.path("attempt"));
    return number.isEmpty() ? "" : " attempt " + number;
  }

  /** The number of an attempt, which is the end of its id. */
  private static String number(JsonNode attempt) {
    String id = attempt.asText();
    return id.substring(id.lastIndexOf('-') + 1);
  }

  private static String reason(JsonNode decision) {
    String reason = decision.path("reason").asText();
    return reason.isEmpty() ? "" : ", " + reason.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String subject(JsonNode decision) {
    return decision.path("subject").asText();
  }

  /** An offering's text, {@code cluster~zone~type~market[~pool]}, for people. */
  record Place(String cluster, String zone, String market, Optional<String> pool) {
    static Optional<Place> of(String offering) {
      String[] parts = offering.split("~");
      return parts.length < 4
          ? Optional.empty()
          : Optional.of(
              new Place(
                  parts[0],
                  parts[1],
                  parts[3],
                  parts.length > 4 ? Optional.of(parts[4]) : Optional.empty()));
    }

    String text() {
      return pool.map(name -> cluster + " reserved pool " + name)
          .orElse(cluster + " " + zone + " " + market);
    }
  }
}
