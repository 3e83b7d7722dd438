/**
 * Verda, formerly DataCrunch, as a provider. Three calls tell all types with their prices and what
 * each location has now, on demand and as spot ({@link io.spillway.capacity.verda.VerdaProbe}); a
 * token of an hour opens them ({@link io.spillway.capacity.verda.VerdaToken}). Refusals have a code
 * that says too little, so words are read first ({@link io.spillway.capacity.verda.VerdaFailures}).
 * A spot machine is discontinued without a notice that one could count on, and no event is pushed.
 */
package io.spillway.capacity.verda;
