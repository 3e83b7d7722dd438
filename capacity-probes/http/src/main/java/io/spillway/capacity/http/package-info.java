/**
 * The one pattern of providers that speak JSON over HTTP and have no SDK that fits.
 *
 * <p>A probe has one {@link io.spillway.capacity.http.ProbeClient} for its account, and begins a
 * {@link io.spillway.capacity.http.ProbeRun} at each round. The run sends calls without blocking a
 * thread, follows pages, asks many regions of which some may fail, and ends as what the SPI wants:
 * observations with warnings, or a {@link io.spillway.capacity.spi.ProbeException} typed by what
 * the caller does next. Bodies are bounded, calls and rounds have deadlines, a {@link
 * io.spillway.capacity.http.CallBudget} keeps to the provider's rate, and no secret gets into a
 * message. Retries of transient failures stand outside, in the server's guard.
 *
 * <p>Time is the caller's: a provider's instants are moved by what its {@code Date} header shows
 * its clock to be off, so that an observation is never from the future. Answers are read by {@link
 * io.spillway.capacity.http.JsonView}: what is unknown is ignored, what is missing or of a wrong
 * type is a typed failure that names its place. {@link io.spillway.capacity.http.Prices} normalises
 * money; {@link io.spillway.capacity.http.FallbackCatalogue} reads the dated figures that a module
 * ships for when a provider tells no price.
 */
package io.spillway.capacity.http;
