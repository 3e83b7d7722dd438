/**
 * The decision core: from a view of jobs, queues and offerings, and a cycle (now, ids, seed), to a
 * plan.
 */
package io.spillway.scheduler;
