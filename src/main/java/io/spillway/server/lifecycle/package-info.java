/**
 * Starts and stops the server: beans around the plain classes of store, inbox and loop, health,
 * hand-over at shutdown. Order at the start: migrations, identity and partitions, loop, lease; at
 * the end: readiness down, lease and inbox let go, loop stopped after its cycle.
 */
package io.spillway.server.lifecycle;
