/**
 * Runs the providers' probes, on the leader only: each account with its own guard, thread and pace,
 * so that a failing or slow account never slows another ({@link
 * io.spillway.server.probes.AccountProbing}). What a probe saw becomes an input only when it
 * changes the market (semantics §2), or before the age of the last one would take it out of use. A
 * failing account keeps its last observations, which age.
 */
package io.spillway.server.probes;
