/**
 * Amazon EC2 as a provider. {@link io.spillway.capacity.aws.AwsProvider} is the door; behind it a
 * probe of each account (one virtual thread a region: the calls block there and nowhere else), the
 * table of refusals, and the reader of EventBridge's events. What EC2 answered is kept apart from
 * what it costs: {@code RegionFacts} and {@code ListPrices} come together in {@code
 * RegionObservations}, which is pure. The SDK's clients belong to one account and close with its
 * probe.
 */
package io.spillway.capacity.aws;
