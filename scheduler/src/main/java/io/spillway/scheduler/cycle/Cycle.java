package io.spillway.scheduler.cycle;

import java.time.Instant;

/**
 * What a cycle gets from outside besides its inputs; journalled, so that replay decides the same.
 *
 * @param id rises by one with each cycle
 * @param now never before the last journalled one (semantics §16)
 * @param seed for every random choice of the cycle
 * @param epoch the leader epoch under which it is decided
 */
public record Cycle(long id, Instant now, long seed, long epoch) {}
