/**
 * What jobs say of their own progress: by their agents, or by a call. It is kept and shown, and no
 * decision rests on it, so it goes past inbox and journal into a table of its own, the newest of
 * each job, at a bounded rate. Once a rule rests on it (stall, useful work, claims), a change of it
 * becomes an input as well.
 */
package io.spillway.server.progress;
