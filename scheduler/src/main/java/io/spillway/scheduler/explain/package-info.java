/** Tells why a job is where it is: every candidate, its rank or its refusal. */
package io.spillway.scheduler.explain;
