/**
 * What is known of the outside market: observations by market key, their age, trust and price
 * sanity. An observation that joins no offering of a cluster is shown, never used.
 */
package io.spillway.scheduler.market;
