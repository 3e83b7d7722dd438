/**
 * Vast.ai as a provider: a market of single machines, each offered by its owner. A search for each
 * way to rent, on demand and by bid, tells the cheapest offers ({@link
 * io.spillway.capacity.vast.VastProbe}); the cheapest of a country stands for it. Refusals have a
 * short code ({@link io.spillway.capacity.vast.VastFailures}). Vast.ai rents containers, which join
 * no Kubernetes cluster: its market is shown for comparison. It pushes no event; who is outbid is
 * stopped without notice.
 */
package io.spillway.capacity.vast;
