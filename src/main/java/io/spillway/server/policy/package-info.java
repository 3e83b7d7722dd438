/**
 * The policies in force. They have one source (semantics §17): a directory that the leader watches,
 * or the API, which a directory may seed once. Either way a set is compiled here, stored under its
 * version with author and time, and offered to the loop as an input; what is in force is what the
 * loop adopted, and every replica learns it from the journal. A set with an error changes nothing
 * and is shown.
 */
package io.spillway.server.policy;
