/**
 * The kill audit. A world of packaged processes: one PostgreSQL, one Kafka, the simulated clouds,
 * which survive, and one or two servers, which are killed at named points and at random, under
 * load. It believes three witnesses only: the clouds' ledger, the load generator's record of every
 * 201, and the public API. {@link io.spillway.verify.kill.Audit} holds them against each other; its
 * rules have tests of their own, so that an audit that finds nothing means something.
 */
package io.spillway.verify.kill;
