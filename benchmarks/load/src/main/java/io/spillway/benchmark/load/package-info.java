/**
 * The load generator: submits, plays the agents, and tells how long each step took; HTTP and gRPC
 * only.
 */
package io.spillway.benchmark.load;
