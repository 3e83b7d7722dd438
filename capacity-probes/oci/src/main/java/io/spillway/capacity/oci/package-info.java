/**
 * OCI as a provider. A probe asks each region which GPU shapes its domains list, the capacity
 * report of those that policies name, service limits and capacity reservations; prices are Oracle's
 * public list. OCI sells no bare-metal GPU preemptibly, so most of its market is on demand and
 * reserved.
 */
package io.spillway.capacity.oci;
