/**
 * The door of the clouds' process: HTTP on the loopback interface only, without a login. The probe
 * asks here, tests and benchmarks steer here. Each call is one question to the timeline.
 */
package io.spillway.capacity.simulated.control;
