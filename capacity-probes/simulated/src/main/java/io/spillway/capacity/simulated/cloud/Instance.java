package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.market.Line;

/**
 * A machine that a customer holds.
 *
 * @param id in the provider's own form
 * @param accountId the provider's id of the account, as its events carry it
 * @param cluster that it joins
 */
public record Instance(String id, Line line, String accountId, String cluster) {}
