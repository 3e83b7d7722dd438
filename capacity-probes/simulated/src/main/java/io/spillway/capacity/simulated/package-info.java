/**
 * Simulated clouds: a provider like the others ({@link
 * io.spillway.capacity.simulated.SimulatedProvider}, in the server) and the process behind it
 * ({@link io.spillway.capacity.simulated.CloudsMain}). In that process one timeline thread owns
 * everything: a market of real list prices or replayed traces ({@code market}), clouds that grant,
 * refuse, announce and take capacity ({@code cloud}), one agent per cluster that speaks the real
 * protocol ({@code agent}), and a ledger file that is synced before anything is reported ({@code
 * ledger}). The process survives the server and is steered over loopback HTTP ({@code control}).
 */
package io.spillway.capacity.simulated;
