/**
 * How fast and where launches may be tried. Each offering has a launch budget: attempts whose start
 * is committed but not yet confirmed fit into a window of one, doubled by each success and set back
 * to one by a capacity failure. A failure also blocks a scope of the market for a time that grows
 * with repetition; when it ends the window is one again, so that one trial goes before the crowd (a
 * half-open breaker). One job's failure thereby is every job's knowledge at once. Nodes that stand
 * ready by the agent's word need no trial unless something failed there lately.
 */
package io.spillway.scheduler.launch;
