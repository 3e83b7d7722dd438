/**
 * What can be bought: lines (provider, region, zone, instance type, capacity type) with a capacity
 * in nodes and a price over market time. A line's course comes from the catalogue and a seed, or
 * from a recorded trace. Capacity counts all nodes that a customer could hold there: when it falls
 * below what is held, the difference is taken back.
 */
package io.spillway.capacity.simulated.market;
