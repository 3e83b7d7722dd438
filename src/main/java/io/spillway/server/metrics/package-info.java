/**
 * The metrics of the contract. Counters follow the commits, gauges are read from the committed
 * state every two seconds. Series that describe the scheduler exist only on the replica that leads,
 * so that sums over replicas are right. Tags come from enums and configured names only.
 */
package io.spillway.server.metrics;
