/**
 * What it costs to observe every provider, and how fast their events are understood. The providers'
 * interfaces are those of the modules' contract tests, in a process of their own, so that only the
 * modules are measured; the server is not part of it. {@link io.spillway.benchmark.probes.Main}
 * starts {@link io.spillway.benchmark.probes.Interfaces}, then {@link
 * io.spillway.benchmark.probes.Rounds} and {@link io.spillway.benchmark.probes.Events}, one after
 * the other, and prints what they print.
 */
package io.spillway.benchmark.probes;
