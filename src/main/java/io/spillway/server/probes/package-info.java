/**
 * Runs the providers' probes: one guard per account, so that a failing account never slows another;
 * on the leader only. What a probe saw becomes an input only when it changes the market (semantics
 * §2), or before the age of the last one would take it out of use.
 */
package io.spillway.server.probes;
