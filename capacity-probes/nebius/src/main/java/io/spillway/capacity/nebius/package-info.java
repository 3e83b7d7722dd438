/**
 * Nebius AI Cloud as a provider: gRPC, of which {@code src/main/proto} describes the part that is
 * read. One list of advice tells all three markets of every shape ({@link
 * io.spillway.capacity.nebius.NebiusProbe}); the calculator tells prices ({@link
 * io.spillway.capacity.nebius.NebiusPrices}), capacity block groups what is reserved. Refusals are
 * gRPC statuses whose words say whether quota or hardware is short ({@link
 * io.spillway.capacity.nebius.NebiusFailures}). Nothing is pushed: the machine itself hears a
 * SIGTERM a minute ahead and forwards it ({@link io.spillway.capacity.nebius.NebiusEvents}).
 */
package io.spillway.capacity.nebius;
