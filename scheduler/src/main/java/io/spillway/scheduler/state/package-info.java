/**
 * The scheduler's state. All of it lives in a few undoable maps ({@code Table}) with immutable
 * values; every derived index (waiting jobs, usage, instances, timers, wake causes) listens to
 * these maps, so that undoing a change undoes the index too. A {@link
 * io.spillway.scheduler.state.Draft} advances the same maps and keeps the old values: adopting
 * forgets them, discarding puts them back, so an overlay costs as much as it changes. What stands
 * in job, attempt and policy rows ({@link io.spillway.scheduler.state.Rows}) is advanced by events
 * and rows alone, everything else ({@link io.spillway.scheduler.state.Memo}) by events and memo
 * alone: a restart may then combine rows of the head with an older memo. Single-threaded; the owner
 * of the state is the only caller.
 */
package io.spillway.scheduler.state;
