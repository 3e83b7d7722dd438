/**
 * Stories in rounds: a scheduler with virtual time, told what came in, asked what it did. Public,
 * so that other packages and modules can tell stories too. After every round all invariants are
 * recounted, and the state is put together anew from its rows and memo, as after a restart.
 */
package io.spillway.scheduler.story;
