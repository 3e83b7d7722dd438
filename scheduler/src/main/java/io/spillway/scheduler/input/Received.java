package io.spillway.scheduler.input;

import java.time.Instant;

/**
 * One input with where it came from.
 *
 * @param writer the inbox writer (one per process start and lane)
 * @param seq the writer's number of the inbox row; a row may carry several inputs
 * @param actor who caused it: a user, an agent's cluster, a provider source
 * @param at database time of the inbox commit
 */
public record Received(String writer, long seq, String actor, Instant at, Input input) {}
