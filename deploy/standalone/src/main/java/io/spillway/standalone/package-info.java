/**
 * Starts Spillway on one machine, nothing to install: PostgreSQL, a Kafka broker, the simulated
 * clouds and one or more replicas of the server, each a process of its own, all bound to 127.0.0.1
 * and all data under one directory. {@link io.spillway.standalone.StandaloneWorld} is the world and
 * may be used by tests and measurements piece by piece; {@link io.spillway.standalone.Main} adds
 * the demo: it submits example jobs, lets a cloud take capacity back, and prints every decision. A
 * watchdog ends the children when this process dies; what a kill left over is stopped at the next
 * start on the same data.
 */
package io.spillway.standalone;
