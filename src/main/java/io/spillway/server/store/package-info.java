/**
 * The loop's ports on PostgreSQL: journal, inbox source, leadership, memo, restart, retention.
 * Plain reactive client, no framework type, so that the kill harness and replay run it without a
 * server.
 *
 * <p>A commit is one pipelined transaction: fence (epoch {@code FOR KEY SHARE}), head by
 * compare-and-set, journal row, changed jobs and attempts by {@code unnest}, cursors, evaluations.
 * Safety rests on the fence and on the head, liveness on the lease.
 */
package io.spillway.server.store;
