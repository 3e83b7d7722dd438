package io.spillway.agent.memory;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.spillway.protocol.v1.EndCause;
import java.time.Instant;
import java.util.List;

/**
 * Why an attempt never starts (again) here.
 *
 * @param epoch of the command that made it so, or of the attempt's start
 * @param at when, by the cluster's clock; only to forget it some day
 * @param ranMillis how long all members ran; 0 = not known
 * @param words the gate's reason, or the termination message
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Fate(
    @JsonProperty("k") Kind kind,
    @JsonProperty("e") long epoch,
    @JsonProperty("t") long at,
    @JsonProperty("c") EndCause cause,
    @JsonProperty("x") List<Integer> exitCodes,
    @JsonProperty("r") long ranMillis,
    @JsonProperty("m") String words) {

  /** What it was. */
  public enum Kind {
    /** The gate, or the cluster itself, refused it: nothing of it may ever be applied. */
    REFUSED,
    /** A stop was ordered; what is left of it is being deleted. */
    STOPPING,
    /** Told to stop or let go before anything of it was here, or gone without a trace. */
    ABSENT,
    ENDED
  }

  public Fate {
    exitCodes = exitCodes == null ? List.of() : List.copyOf(exitCodes);
    words = words == null ? "" : words;
    cause = cause == null ? EndCause.END_CAUSE_UNSPECIFIED : cause;
  }

  public static Fate refused(long epoch, Instant at, String reason) {
    return of(Kind.REFUSED, epoch, at, reason);
  }

  public static Fate stopping(long epoch, Instant at, String reason) {
    return of(Kind.STOPPING, epoch, at, reason);
  }

  public static Fate absent(long epoch, Instant at) {
    return of(Kind.ABSENT, epoch, at, "");
  }

  private static Fate of(Kind kind, long epoch, Instant at, String words) {
    return new Fate(
        kind, epoch, at.getEpochSecond(), EndCause.END_CAUSE_UNSPECIFIED, List.of(), 0, words);
  }
}
