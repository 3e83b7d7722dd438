/**
 * CoreWeave as a provider: one account is one CKS cluster, which is a Kubernetes API and nothing
 * else. Its node pools tell what could grow, its nodes and pods what is idle ({@link
 * io.spillway.capacity.coreweave.CoreWeaveProbe}, {@link
 * io.spillway.capacity.coreweave.PoolMarket}); no call tells a price or the market's free capacity.
 * Refusals are reasons of events and conditions ({@link
 * io.spillway.capacity.coreweave.CoreWeaveFailures}); a preemption is a label on a node ({@link
 * io.spillway.capacity.coreweave.CoreWeaveEvents}).
 */
package io.spillway.capacity.coreweave;
