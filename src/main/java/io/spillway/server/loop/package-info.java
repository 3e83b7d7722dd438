/**
 * The single-writer loop: take, interpret, decide, commit, adopt. Plain Java on its own named
 * thread; no framework type. Its ports ({@code InboxSource}, {@code Journal}, {@code Leadership})
 * are implemented by the store. A standby runs the same class and tails the journal.
 */
package io.spillway.server.loop;
