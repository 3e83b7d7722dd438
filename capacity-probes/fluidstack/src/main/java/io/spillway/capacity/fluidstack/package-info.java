/**
 * FluidStack's marketplace as a provider: the self-service API of single machines, not the clusters
 * that the company manages by contract. One call lists every configuration that can be had now
 * ({@link io.spillway.capacity.fluidstack.FluidStackProbe}); refusals are prose ({@link
 * io.spillway.capacity.fluidstack.FluidStackFailures}). There is no spot price, no event and no
 * notice.
 */
package io.spillway.capacity.fluidstack;
