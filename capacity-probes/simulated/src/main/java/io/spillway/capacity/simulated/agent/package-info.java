/**
 * A cluster and its agent. The agent speaks the real protocol over one outbound stream and does
 * what the real one promises: one workload per attempt id, whatever is repeated; no stop by an
 * older epoch; reports in the order of (epoch, seq), sent again until acknowledged, and never
 * before the ledger has them. The cluster packs gangs all or none, starts nodes through its cloud
 * and gives idle ones back.
 */
package io.spillway.capacity.simulated.agent;
