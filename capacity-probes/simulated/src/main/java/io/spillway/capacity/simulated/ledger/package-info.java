/**
 * The clouds' own book of what really happened: one JSON line for each hold, apply, start, stop,
 * end and release, synced before anything of it is reported to the control plane. It is what an
 * audit reads, and what this process restores itself from.
 */
package io.spillway.capacity.simulated.ledger;
