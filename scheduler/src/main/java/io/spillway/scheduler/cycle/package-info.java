/** One iteration of the scheduler as a pure function: interpret what came in, decide what to do. */
package io.spillway.scheduler.cycle;
