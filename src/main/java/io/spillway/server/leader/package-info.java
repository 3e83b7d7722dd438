/**
 * What only the leader's replica knows, asked there over HTTP on a user's behalf: one hop, the
 * user's own token, and an answer of one's own when it does not come.
 */
package io.spillway.server.leader;
