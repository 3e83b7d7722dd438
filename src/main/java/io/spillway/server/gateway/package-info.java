/**
 * The agents' door: one bidirectional gRPC stream per cluster, on the HTTP port. A stream lives on
 * its connection's event loop and is never touched from elsewhere; one append is in flight per
 * stream, so that frames keep their order, and what arrives meanwhile goes with the next. What
 * agents report becomes inputs; what they are told is read from the attempt rows, for all connected
 * clusters in one query per wake. Nothing waits for a single message's query. Every replica runs a
 * gateway; what must agree between them stands in {@code agent_session}, and what one must hear of
 * the others comes by the journal, which each tails.
 */
package io.spillway.server.gateway;
