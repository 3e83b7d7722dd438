/**
 * What every provider module passes. {@link io.spillway.capacity.testkit.FailureClassifierContract}
 * holds what classifiers keep whatever they are given; {@link
 * io.spillway.capacity.testkit.ProbeContract} holds what probes keep whatever their provider does,
 * against {@link io.spillway.capacity.testkit.StubCloud}, a WireMock server on the loopback
 * address. A module's test extends the contract and says how its provider answers ({@link
 * io.spillway.capacity.testkit.ProbeContractSetup}); what it expects to be seen is written as lines
 * ({@link io.spillway.capacity.testkit.MarketText}).
 */
package io.spillway.capacity.testkit;
