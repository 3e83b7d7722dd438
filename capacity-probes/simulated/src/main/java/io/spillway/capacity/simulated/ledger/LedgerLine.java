package io.spillway.capacity.simulated.ledger;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * One line.
 *
 * @param millis of a monotonic clock that outlives the process
 * @param wall ISO instant, for people
 * @param epoch of the command that caused it
 * @param event {@code hold}, {@code apply}, {@code start}, {@code stop}, {@code end} or {@code
 *     release}
 * @param detail what is needed to restore it
 */
public record LedgerLine(
    @JsonProperty("t") long millis,
    String wall,
    String cluster,
    String attempt,
    long epoch,
    String event,
    JsonNode detail) {}
