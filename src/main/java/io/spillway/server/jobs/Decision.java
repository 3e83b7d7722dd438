package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.server.sse.FeedItem;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Something the scheduler decided.
 *
 * @param id its place in the journal; also the id of the stream's event
 * @param usdPerGpuHour of a placement, fixed for the attempt
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "Something the scheduler decided")
public record Decision(
    @Schema(examples = "1234.0") String id,
    Instant at,
    Kind decision,
    Optional<String> job,
    Optional<String> attempt,
    Optional<String> offering,
    Optional<String> rung,
    Optional<String> usdPerGpuHour,
    Optional<String> after,
    Optional<String> reason,
    Optional<String> subject) {

  /** Kinds of decisions, a closed set. */
  public enum Kind {
    /** A job was given capacity; with {@code after}, to be held until that attempt ends. */
    PLACED,
    /** A held attempt's predecessor ended: it starts. */
    STARTED,
    /** A running attempt is to end early. */
    DRAINED,
    /** Back into its place in the queue. */
    QUEUED,
    HELD,
    CANCELLING,
    ENDED,
    SUCCEEDED,
    CANCELLED,
    FAILED,
    /** A class of equal jobs waits for a cause. */
    PARKED,
    WOKEN,
    BLOCKED,
    UNBLOCKED,
    PRICE_QUARANTINED
  }

  /** Empty for an event that is no decision. */
  static Optional<Decision> of(FeedItem item) {
    return kind(item.type()).map(kind -> of(item, kind));
  }

  private static Decision of(FeedItem item, Kind kind) {
    JsonNode placement = item.data().path("placement");
    return new Decision(
        item.position().toString(),
        item.at(),
        kind,
        item.job(),
        item.text("attempt"),
        offering(item.data().path("offering").isMissingNode() ? placement : item.data()),
        text(placement.path("rungName")),
        text(placement.path("price")).map(Decision::dollars),
        item.text("after"),
        item.text("reason").or(() -> item.text("failureClass")).or(() -> item.text("cause")),
        item.text("shapeClass").or(() -> scope(item.data().path("scope"))));
  }

  private static Optional<Kind> kind(String type) {
    return Optional.ofNullable(
        switch (type) {
          case "AttemptIntended" -> Kind.PLACED;
          case "AttemptLaunching" -> Kind.STARTED;
          case "JobDraining" -> Kind.DRAINED;
          case "JobQueued" -> Kind.QUEUED;
          case "JobHeld" -> Kind.HELD;
          case "JobCancelling" -> Kind.CANCELLING;
          case "AttemptEnded" -> Kind.ENDED;
          case "JobSucceeded" -> Kind.SUCCEEDED;
          case "JobCancelled" -> Kind.CANCELLED;
          case "JobFailed" -> Kind.FAILED;
          case "ClassParked" -> Kind.PARKED;
          case "ClassWoken" -> Kind.WOKEN;
          case "BlockPlaced" -> Kind.BLOCKED;
          case "BlockLifted" -> Kind.UNBLOCKED;
          case "PriceQuarantined" -> Kind.PRICE_QUARANTINED;
          default -> null;
        });
  }

  /** The offering's canonical text, from its record as the journal holds it. */
  private static Optional<String> offering(JsonNode holder) {
    JsonNode offering = holder.path("offering");
    if (!offering.isObject()) {
      return text(offering);
    }
    String text =
        String.join(
            "~",
            offering.path("cluster").asText(),
            offering.path("zone").asText(),
            offering.path("instanceType").asText(),
            capacityType(offering.path("capacityType").asText()));
    return Optional.of(text + text(offering.path("pool")).map(pool -> "~" + pool).orElse(""));
  }

  private static String capacityType(String constant) {
    return constant.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  private static Optional<String> scope(JsonNode scope) {
    if (!scope.isObject()) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    for (String part : new String[] {"provider", "account", "region", "zone", "family"}) {
      text.append(text.isEmpty() ? "" : "/").append(text(scope.path(part)).orElse("*"));
    }
    return Optional.of(text.toString());
  }

  private static String dollars(String micros) {
    return java.math.BigDecimal.valueOf(Long.parseLong(micros), 6)
        .setScale(4, java.math.RoundingMode.HALF_UP)
        .toPlainString();
  }

  private static Optional<String> text(JsonNode value) {
    return value.isMissingNode() || value.isNull() || value.isContainerNode()
        ? Optional.empty()
        : Optional.of(value.asText());
  }
}
