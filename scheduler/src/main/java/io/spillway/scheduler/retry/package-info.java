/**
 * What an end means for a job: which budget it uses up, how long the job backs off, and how its
 * place on the ladder moves. Budgets are separate, so that a cloud's failures never use up a user's
 * (semantics §7, §19).
 */
package io.spillway.scheduler.retry;
