/**
 * Azure as a provider. A probe asks what a subscription may use in each region, its quota, spot
 * placement scores where it has the role, and its capacity reservation groups; prices are the
 * public Retail Prices API. Azure tells no stock of machines on demand: that they are sold, and
 * that the quota suffices, is all that is known before a launch.
 */
package io.spillway.capacity.azure;
