package io.spillway.capacity.simulated.cloud;

/**
 * A customer's account at a provider.
 *
 * @param name as the control plane's configuration calls it
 * @param provider the part that is played
 * @param id as the provider's events carry it: a number of AWS, a compartment of OCI
 */
public record Account(String name, String provider, String id) {}
