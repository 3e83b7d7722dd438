/**
 * Core and loop under faults, in one thread: every choice comes from one seeded source and time is
 * virtual, so that a printed seed replays exactly. The world around the loop (store, agents,
 * clouds, users) is small and honest about what real ones do: deliver late, twice, in another
 * order, or not at all until the next sweep. An oracle follows the journal and the clouds' own
 * truth and judges after every event. Planted bugs sit in this package's ports, never in main code.
 */
package io.spillway.server.simulation;
