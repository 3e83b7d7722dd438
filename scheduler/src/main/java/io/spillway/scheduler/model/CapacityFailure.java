package io.spillway.scheduler.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A refusal by a cloud or a cluster, classified.
 *
 * @param block how long nothing is tried in the scope, before growth by repetition
 * @param code the provider's own code or a shortened message, for people; at most 200 characters
 * @param at when the failure happened by its source's word (a late event blocks from then, not from
 *     when it arrived)
 */
public record CapacityFailure(
    FailureClass failureClass, BlockScope scope, Duration block, String code, Instant at) {}
