/**
 * Hyperstack (NexGen Cloud) as a provider. A call per region tells every flavour and whether it is
 * in stock, one more the price book ({@link io.spillway.capacity.hyperstack.HyperstackProbe});
 * refusals come with HTTP 200 as well, so status and words of the body are read ({@link
 * io.spillway.capacity.hyperstack.HyperstackFailures}). Spot machines are deleted without a notice
 * that one could count on, and no event is pushed.
 */
package io.spillway.capacity.hyperstack;
