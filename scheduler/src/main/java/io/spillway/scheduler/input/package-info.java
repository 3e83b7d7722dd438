/**
 * What comes from outside, as it stands in the inbox: sealed records, one per kind, each with its
 * lane. An input says what was asked or seen; what it means is decided by the core.
 */
package io.spillway.scheduler.input;
