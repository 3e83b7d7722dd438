package io.spillway.verify.kill;

import java.time.Instant;

/**
 * A promise that the load generator was given.
 *
 * @param key of idempotency
 * @param status 201, or 200 for a repeated key
 * @param at when the answer came
 */
record Accepted(String key, String job, int status, Instant at) {}
