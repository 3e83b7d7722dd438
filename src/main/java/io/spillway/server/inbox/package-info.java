/**
 * Everything from outside becomes durable here before it is answered or acknowledged. A process has
 * two writers per lane (one for what comes from Kafka), each with one insert batch in flight and
 * rows numbered by itself; the leader keeps a cursor per writer (semantics §2).
 */
package io.spillway.server.inbox;
