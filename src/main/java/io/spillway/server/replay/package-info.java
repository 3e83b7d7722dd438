/**
 * Decides a journal again and compares plan hashes. It reads the inputs, now and seed of each
 * cycle, never the recorded plan (except to show it beside its own when the two differ). It starts
 * from an empty state at the journal's first row, or from a stored memo and the rows that the
 * journal says there were then.
 */
package io.spillway.server.replay;
