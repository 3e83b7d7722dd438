/**
 * Simulated clouds: a provider like the others, and the process behind it with market, traces,
 * ledger and agents.
 */
package io.spillway.capacity.simulated;
