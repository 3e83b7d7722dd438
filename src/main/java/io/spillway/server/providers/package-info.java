/**
 * The provider modules that this build has, loaded once, and the accounts that the configuration
 * names. A mistake in one account turns off that account and says so; everything else starts. Knows
 * no provider by name. Used by whoever classifies, normalises, observes or shows; running the
 * probes is {@code io.spillway.server.probes}' part.
 */
package io.spillway.server.providers;
