/**
 * Google Cloud as a provider. A probe lists the GPU machine types of all zones at once, the quota
 * of each region and reservations, and asks Google's advice on spot for what policies name; prices
 * are the sums of the billing catalogue's parts. Google tells no stock of machines on demand: that
 * they are sold, and that the quota suffices, is all that is known before a launch.
 */
package io.spillway.capacity.gcp;
