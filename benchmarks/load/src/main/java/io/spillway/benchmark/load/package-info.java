/**
 * The load generator: starts a whole Spillway in processes of its own, submits over HTTP, sends
 * provider events to Kafka, and tells how long each step took from the job events that come back.
 *
 * <p>A {@code Lab} is one such Spillway. A {@code Scenario} puts load on a lab and answers {@code
 * Figure}s. What it knows of the inside is the database's own statistics and the processes' CPU
 * time. All times of a job are wall-clock milliseconds of this one machine; the time of a job event
 * is the one that the relay gave its Kafka record, which is after the commit that it tells of.
 */
package io.spillway.benchmark.load;
