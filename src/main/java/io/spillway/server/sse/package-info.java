/**
 * What happened, as pages and as streams. The journal's events become {@link
 * io.spillway.server.sse.FeedItem}s; an item's id is its place in the journal, so a stream that
 * broke is resumed from {@code Last-Event-ID} without loss or doubles. A {@link
 * io.spillway.server.sse.Follower} joins history (read from the journal) and present (told by the
 * loop after each commit, on any replica). A client that reads too slowly is dropped, never waited
 * for; it comes back with its last id.
 */
package io.spillway.server.sse;
