/**
 * What a provider is: a probe (what can be had where, at which price, how sure), a failure
 * classifier (any refusal to class, scope, block time) and an event normaliser (any notice to a
 * capacity event). One provider is one module with one {@code META-INF/services} entry for {@link
 * io.spillway.capacity.spi.CapacityProvider}; the server never names a provider class. Results are
 * {@link java.util.concurrent.CompletionStage}; guards, retries and metrics stand outside.
 */
package io.spillway.capacity.spi;
